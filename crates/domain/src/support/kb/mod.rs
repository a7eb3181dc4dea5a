//! The knowledge base (interface 13).

mod create;
mod delete;
mod events;
mod excerpt;
mod html_tags;
mod import;
mod list;
mod plain_text;
mod published;
mod restore;
mod search;
mod slug;
mod update;
mod vain;
mod words;

pub use create::create;
pub use delete::delete;
pub use excerpt::{ExcerptPart, excerpt, excerpt_of_search};
pub(crate) use import::ArticleImport;
pub use list::{ArticleFilter, ArticleOrder, list, list_or_deleted, totals};
pub use plain_text::{is_long, plain_text};
pub use published::{MAX_LISTED, MAX_LISTED_TAGS, PublishedArticle};
pub(crate) use published::{list_published, read_by_slug};
pub use search::{DEFAULT_LIMIT, KbHit, KbMatch, KbQuery, MAX_LIMIT, parse_limit, search};
pub(crate) use search::{address, search_in};
pub use slug::{Slug, is_slug};
pub use update::{update, update_each};
pub use vain::{MAX_VAIN_TERMS, SHOWN_VAIN_FOR, SHOWN_VAIN_TERMS, VainSearch, VainTerm, vain_searches};
pub use words::{form, indexable, is_of_word, query_words, searchable};

use serde_json::{Value, json};
use time::OffsetDateTime;

use crate::KbArticleId;
use crate::identity::access::ReadArticles;
use crate::kernel::input::{Items, Line, LongText, choices, readable_choices};
use crate::kernel::paging::ListName;
use crate::kernel::search::SearchWords;
use crate::records::{Kind, Resource, UniqueMembers, UniqueValue, kind, resource};

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
    listed by ArticleFilter as ListName::numbered(13).by_members(),
    read by ReadArticles, unique: |article| [
        slug: Some(article.slug.clone()),
    ]
}

impl UniqueMembers for ArticleFields {
    fn unique_values(&self) -> Vec<UniqueValue> {
        self.slug.set().map(|slug| Article::unique("slug", slug.as_str().to_owned())).into_iter().collect()
    }
}

impl Article {
    /// Applies every field but the slug, whose uniqueness needs the other articles.
    fn apply_at(&mut self, fields: ArticleFields, now: OffsetDateTime) {
        self.apply(fields);
        self.published_at = match self.status {
            ArticleStatus::Draft => None,
            ArticleStatus::Published => self.published_at.or(Some(now)),
        };
    }

    /// The words that the search of the list matches.
    pub fn search_words(&self) -> Vec<String> {
        let mut words = SearchWords::default();
        words.text(Some(&self.title));
        for tag in &self.tags {
            words.text(Some(tag));
        }
        words.into_vec()
    }

    /// What the audit log records of an article.
    pub(crate) fn audited(&self) -> Value {
        json!({ "slug": self.slug, "status": self.status, "version": self.version })
    }
}
