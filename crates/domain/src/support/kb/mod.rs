//! The knowledge base (interface 13).

mod excerpt;
mod html_tags;
mod missed;
mod plain_text;
mod search;
mod slug;
mod words;

pub use excerpt::{ExcerptPart, excerpt, excerpt_of_search};
pub use missed::{MAX_MISSED_TERMS, MissedSearch, MissedTerm, SHOWN_MISSED_FOR, SHOWN_MISSED_TERMS, missed_searches};
pub use plain_text::{is_long, plain_text};
pub use search::{
    DEFAULT_LIMIT, KbHit, KbMatch, KbQuery, MAX_LIMIT, MAX_LISTED, MAX_LISTED_TAGS, PublishedArticle, parse_limit,
    search,
};
pub(crate) use search::{address, search_in};
pub use slug::{Slug, is_slug};
pub use words::{form, indexable, is_of_word, query_words, searchable};

use serde_json::json;
use time::OffsetDateTime;

use crate::events::example::{self, ADA, CHANGED, MADE};
use crate::events::{DataType, EventSource, KindEvents, Module, event_source};
use crate::identity::access::{CreateArticles, DeleteArticles, ReadArticles, UpdateArticles};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::input::{Field, Items, Line, LongText, MAX_IDS, MAX_TAGS, Several, Tag, choices, readable_choices};
use crate::kernel::paging::{Direction, ListName, ListOrder, Sort, SortKey, Sorted};
use crate::kernel::search::{SearchQuery, SearchWords};
use crate::ports::{StoreError, Tx};
use crate::records::{
    Editable, Importable, RecordFilter, RecordKind, Resource, Transferred, WriteKind, Writing, deletable, kind,
    list_orders, record_filter, resource,
};
use crate::{Error, KbArticleId, filter};

choices! {
    /// Whether an article appears in searches.
    pub enum ArticleStatus {
        /// Visible to its authors only.
        Draft = "draft",
        /// Visible in searches.
        Published = "published",
    }
}

readable_choices!(ArticleStatus);

resource! {
    /// The writable fields of an article.
    pub input ArticleFields;

    /// An article.
    pub record Article(KbArticleId) {
        /// The question that it answers.
        title: Line<255> = required,
        /// Its name in URLs, unique in the workspace.
        /// Default: made from the title.
        slug: Slug = own_rule(String::new()),
        /// The answer, in Markdown.
        body: LongText<100_000>,
        /// draft: only the team sees it; published: customers see it too.
        /// Default: draft.
        status: ArticleStatus = default(ArticleStatus::Draft),
        /// All of its tags, which are searched too.
        /// Note: Replaces all.
        /// Default: none.
        tags: Items<50, 100> = default(Vec::new()),
        // When it was published; `None` for a draft.
        [read_only published_at: Option<OffsetDateTime> = None],
    }
}

kind! {
    Article, [Article], KbArticleId, called title,
    listed by ArticleFilter as ListName::numbered(13).by_fields(),
    read by ReadArticles, unique: |article| [
        // A new article has no slug until `settle`.
        slug: Some(article.slug.clone()).filter(|slug| !slug.is_empty()),
    ]
}

deletable!(Article, DeleteArticles, {
    fn lock_all(tx: &mut dyn Tx) -> Result<(), StoreError> {
        tx.kb_articles().lock()
    }

    fn audit(&self, tx: &mut dyn Tx, writing: &Writing, kind: WriteKind) -> Result<(), StoreError> {
        let action = match kind {
            WriteKind::Created => AuditAction::ArticleCreated,
            WriteKind::Updated => AuditAction::ArticleUpdated,
            WriteKind::Deleted => AuditAction::ArticleDeleted,
            WriteKind::Restored => AuditAction::ArticleRestored,
        };
        let details = json!({ "slug": self.slug, "status": self.status, "version": self.version });
        let subject = AuditSubject::article(self.id);
        tx.audit().append(&AuditEntry::new(&writing.ports, &writing.by, action, subject, details))
    }
});

impl Editable for Article {
    type Create = CreateArticles;
    type Update = UpdateArticles;

    fn new(id: KbArticleId, writing: &Writing) -> Self {
        Self::blank(id, writing.actor(), writing.now)
    }

    fn fill(&mut self, fields: ArticleFields, writing: &Writing) -> Result<(), Error> {
        if let Some(slug) = fields.slug.set() {
            slug.as_str().clone_into(&mut self.slug);
        }
        self.apply(fields);
        self.published_at = match self.status {
            ArticleStatus::Draft => None,
            ArticleStatus::Published => self.published_at.or(Some(writing.now)),
        };
        Ok(())
    }

    /// The slug stays when the title changes, so that addresses do not break; `null` derives it from the title again.
    fn settle(
        &mut self,
        fields: &ArticleFields,
        stored: Option<&Self>,
        tx: &mut dyn Tx,
        _: &Writing,
    ) -> Result<(), Error> {
        let is_derived = match fields.slug {
            Field::Absent => stored.is_none(),
            Field::Null => true,
            Field::Set(_) => false,
        };
        if is_derived {
            self.slug = slug::free(tx, &self.title, self.id)?;
        }
        Ok(())
    }
}

impl Importable for Article {
    const KEY: Option<&'static str> = Some("slug");
}

impl Transferred for Article {
    fn own_columns(_: RecordKind) -> &'static [&'static str] {
        &["published_at"]
    }

    fn file_keys(_: RecordKind) -> &'static [&'static str] {
        &["slug"]
    }
}

impl Article {
    /// The words that the search of the list matches.
    pub fn search_words(&self) -> Vec<String> {
        let mut words = SearchWords::default();
        words.text(Some(&self.title));
        for tag in &self.tags {
            words.text(Some(tag));
        }
        words.into_vec()
    }
}

list_orders! {
    /// The order of a list of articles.
    pub enum ArticleOrder {
        Newest = "newest": ListOrder::Created,
        Oldest = "oldest": ListOrder::By(Sort::Created, Direction::Up),
    }
}

filter! {
    /// Filters of the article list; drafts are included, and what is absent matches all.
    pub struct ArticleFilter {
        /// Word prefixes in title and tags; all must match.
        search: Option<SearchQuery>,
        /// In this status.
        status: Option<ArticleStatus>,
        /// With any of these tags; case-insensitive.
        tag: Several<Tag, MAX_TAGS>,
        /// true: only those deleted in the last 30 days; needs permission to delete.
        /// Contract: additional.
        deleted: Option<bool>,
        /// Created at this time or later.
        /// Contract: additional.
        created_since: Option<OffsetDateTime>,
        /// Created before this time.
        /// Contract: additional.
        created_before: Option<OffsetDateTime>,
    }
    only in queries {
        /// With any of these ids.
        /// Contract: additional.
        ids: Several<KbArticleId, MAX_IDS>,
        /// `newest` (default) or `oldest`.
        /// Contract: additional.
        order: Option<ArticleOrder>,
    }
    together ArticleFilter::check_together;
}

record_filter!(ArticleFilter, words in search or tag);

impl Sorted for Article {
    fn sort_key(&self, by: Sort) -> SortKey {
        if by == Sort::Created { SortKey::Time(self.created_at) } else { SortKey::Nothing }
    }
}

pub(crate) static EVENTS: KindEvents = KindEvents {
    module: Module::Support,
    verbs: &[
        ("created", "A knowledge-base article was created."),
        ("updated", "Fields of an article changed, such as its status when it was published."),
    ],
    cascade: None,
    data: DataType::of::<Article>(),
    examples: || {
        example::life::<Article>(
            example,
            &[|it| {
                it.status = ArticleStatus::Published;
                it.published_at = Some(CHANGED);
            }],
        )
    },
};

impl EventSource for Article {
    event_source!(Article);
}

fn example(version: i64, updated_at: OffsetDateTime) -> Article {
    Article {
        title: "How do I import contacts?".to_owned(),
        slug: "how-do-i-import-contacts".to_owned(),
        body: Some("Open **Settings**, then *Import*.".to_owned()),
        tags: vec!["import".to_owned()],
        version,
        updated_at,
        ..Article::blank(KbArticleId(example::id(13)), ADA, MADE)
    }
}
