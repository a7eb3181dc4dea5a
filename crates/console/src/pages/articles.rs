//! The knowledge base: its articles, and the searches that found none.

use domain::identity::access::{Caller, CreateArticles, ReadArticles, UpdateArticles};
use domain::kernel::input::json::Json;
use domain::records::RecordKind;
use domain::support::kb::{self, Article, MissedSearch};
use domain::transfer::ExportedList;

use crate::lists::with;
use crate::prelude::*;
use crate::records::{Action, ColumnOrder, Kind, KindView, Records, Routes, address_of, id_of, routes};

pages! {
    MissedSearches = "GET /articles/searched", access: ReadArticles => missed_searches
}

/// Articles as pages.
pub(crate) type Articles = Records<Article>;

impl Kind for Articles {
    type PageData = ();

    const ROUTES: Routes = routes!("articles", "article_id");
    const EXPORTED: fn(Self::Filter) -> ExportedList = ExportedList::Articles;
    const VIEW: KindView = KindView {
        orders: &[ColumnOrder::CREATED],
        bulk: &["status"],
        has_tags: true,
        ..KindView::of("book", &["status", "tags", "created_at", "updated_at"])
    };
    const PREVIEWED: Option<&'static str> = Some("body");
    const SHOWS_PICTURES: bool = true;

    fn actions(browser: &Browser, article: Option<&Json>) -> Vec<Action> {
        match article {
            Some(article) => actions_of(browser, article),
            None => vec![link("articles-searched-in-vain", "search", "/articles/searched".to_owned())],
        }
    }
}

fn link(key: &str, icon: &'static str, href: String) -> Action {
    Action { label: text(key), icon, href, values: Vec::new() }
}

/// Publishing and unpublishing an article, and the link to its public page.
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

/// A search term without results, and the form for an article about it.
struct Row {
    search: MissedSearch,
    write: String,
}

async fn missed_searches(request: PageRequest<MissedSearches>) -> PageResult {
    let PageRequest { ports, permit, browser, .. } = request;
    let terms = kb::missed_searches(&ports, &permit).await?;
    let row = |search: MissedSearch| Row { write: with("/articles/new", "", "title", &search.term), search };
    let page = SearchedPage {
        shell: browser.shell(text("articles-searched-in-vain")),
        rows: terms.into_iter().map(row).collect(),
        may_create: browser.may::<CreateArticles>(),
    };
    responses::page(&browser, page)
}
