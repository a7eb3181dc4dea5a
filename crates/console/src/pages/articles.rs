//! The knowledge base: its articles, and what was searched in it in vain.

use askama::Template;
use domain::Error;
use domain::identity::access::{Caller, CreateArticles, DeleteArticles, Permit, ReadArticles, UpdateArticles};
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use domain::kernel::input::json::Json;
use domain::kernel::paging::{Page, PageRequest as Paging};
use domain::kernel::totals::ListTotals;
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Ports;
use domain::records::{self, ChangeOutcome, Listed, RecordChange, RecordKind};
use domain::support::kb::{self, Article, ArticleFields, ArticleFilter, VainSearch};

use crate::answers;
use crate::filters;
use crate::layout::{Browser, Shell};
use crate::page::{PageRequest, PageResult, page};
use crate::records::{Action, ColumnOrder, Kind, Routes, Shown, address_of, id_of, routes, title_of_members};
use crate::texts::text;

page! {
    SearchedInVain = "GET /articles/searched", access: ReadArticles => searched_in_vain
}

/// Articles as pages.
pub(crate) enum Articles {}

impl Kind for Articles {
    type Record = Article;
    type Fields = ArticleFields;
    type Patch = ArticleFields;
    type Filter = ArticleFilter;
    type Id = domain::KbArticleId;
    type Read = ReadArticles;
    type Create = CreateArticles;
    type Update = UpdateArticles;
    type Delete = DeleteArticles;
    type Beside = ();

    const KIND: RecordKind = RecordKind::Article;
    const ROUTES: Routes = routes!("/articles", "article_id");
    const SHOWN: Shown = Shown {
        title: "title",
        title_of: |record| title_of_members(record, &["title"]),
        columns: &["status", "tags", "created_at", "updated_at"],
        orders: &[ColumnOrder::CREATED],
        money: None,
        hidden: &[],
        usual: &[],
        responsible: None,
        bulk: &["status"],
        has_tags: true,
        related: &[],
        other_form: None,
    };
    const PREVIEWED: Option<&'static str> = Some("body");
    const SHOWS_PICTURES: bool = true;

    fn actions(browser: &Browser, article: Option<&Json>) -> Vec<Action> {
        match article {
            Some(article) => actions_of(browser, article),
            None => vec![link("articles-searched-in-vain", "search", "/articles/searched".to_owned())],
        }
    }

    async fn list(
        ports: &Ports,
        permit: &Permit<ReadArticles>,
        filter: ArticleFilter,
        page: Paging,
    ) -> Result<Page<Listed<Article>>, Error> {
        records::list_or_deleted::<Article>(ports, permit, filter, page).await
    }

    const HAS_TOTALS: bool = true;

    async fn totals(ports: &Ports, permit: &Permit<ReadArticles>, filter: ArticleFilter) -> Result<ListTotals, Error> {
        records::totals::<Article>(ports, permit, filter).await
    }

    async fn read(ports: &Ports, permit: &Permit<ReadArticles>, id: Self::Id) -> Result<Article, Error> {
        domain::records::read(ports, permit, id).await
    }

    async fn create(
        ports: &Ports,
        permit: &Permit<CreateArticles>,
        once: Option<IdempotentRequest<Article>>,
        fields: ArticleFields,
    ) -> Result<IdempotentResult<Article>, Error> {
        records::create::<Article>(ports, permit, once, fields).await
    }

    async fn update(
        ports: &Ports,
        permit: &Permit<UpdateArticles>,
        id: Self::Id,
        expected: ExpectedVersion,
        fields: ArticleFields,
    ) -> Result<Article, Error> {
        records::update::<Article>(ports, permit, id, expected, fields).await
    }

    async fn update_each(
        ports: &Ports,
        permit: &Permit<UpdateArticles>,
        changes: Vec<RecordChange<ArticleFields>>,
    ) -> Result<Vec<ChangeOutcome>, Error> {
        records::update_each::<Article>(ports, permit, changes).await
    }

    async fn delete(
        ports: &Ports,
        permit: &Permit<DeleteArticles>,
        id: Self::Id,
        expected: ExpectedVersion,
    ) -> Result<(), Error> {
        records::delete::<Article>(ports, permit, id, expected).await?;
        Ok(())
    }
}

fn link(key: &str, icon: &'static str, href: String) -> Action {
    Action { label: text(key), icon, href, values: Vec::new() }
}

/// Publishing an article or taking it back, and where customers read it.
fn actions_of(browser: &Browser, article: &Json) -> Vec<Action> {
    let is_published = article["status"] == "published";
    let workspace = browser.caller.as_ref().map(Caller::workspace);
    let mut actions = Vec::new();
    if let Some(workspace) = workspace.filter(|workspace| is_published && workspace.help_centre_enabled) {
        let slug = article["slug"].as_str().unwrap_or_default();
        actions.push(link("articles-read", "external-link", format!("/kb/{}/{slug}", workspace.slug)));
    }
    if let (true, Some(id)) = (browser.may::<UpdateArticles>(), id_of(&article["id"])) {
        let (key, icon, status) = if is_published {
            ("articles-unpublish", "eye-off", "draft")
        } else {
            ("articles-publish", "world", "published")
        };
        let version = article["version"].as_i64().unwrap_or_default().to_string();
        let values = vec![("_version", version), ("status", status.to_owned())];
        actions.push(Action { label: text(key), icon, href: address_of(RecordKind::Article, id), values });
    }
    actions
}

#[derive(Template)]
#[template(path = "articles/searched.html")]
struct SearchedPage {
    shell: Shell,
    rows: Vec<Row>,
    may_create: bool,
}

/// A term, and the form of an article about it.
struct Row {
    search: VainSearch,
    write: String,
}

async fn searched_in_vain(request: PageRequest<SearchedInVain>) -> PageResult {
    let PageRequest { ports, permit, browser, .. } = request;
    let found = kb::vain_searches(&ports, &permit).await?;
    let row = |search: VainSearch| {
        let query = form_urlencoded::Serializer::new(String::new()).append_pair("title", &search.term).finish();
        Row { write: format!("/articles/new?{query}"), search }
    };
    let page = SearchedPage {
        shell: browser.shell(text("articles-searched-in-vain")),
        rows: found.into_iter().map(row).collect(),
        may_create: browser.may::<CreateArticles>(),
    };
    answers::page(&browser, page)
}
