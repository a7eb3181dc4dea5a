//! The knowledge base (contract: resources, knowledge-base article, kb/search).

mod create;
mod delete;
mod excerpt;
mod html_tags;
mod list;
mod plain_text;
mod read;
mod search;
mod slug;
mod update;
mod words;

pub use create::create;
pub use delete::delete;
pub use excerpt::excerpt;
pub use list::{ArticleFilter, list};
pub use plain_text::{is_long, plain_text};
pub use read::read;
pub(crate) use search::search_in;
pub use search::{DEFAULT_LIMIT, KbHit, KbMatch, KbQuery, MAX_LIMIT, parse_limit, search};
pub use slug::Slug;
pub use update::update;
pub use words::searchable;
#[cfg(any(test, feature = "testing"))]
pub use words::{form, is_of_word};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::KbArticleId;
use crate::identity::access::Actor;
use crate::kernel::input::schema::TimestampText;
use crate::kernel::input::{
    Items, Line, LongText, choices, fields, optional_timestamp_json, readable_choices, timestamp_json,
};
use crate::kernel::paging::{ListName, Paginated};

choices! {
    /// Whether an article is found by those who ask.
    pub enum ArticleStatus {
        /// Only its authors see it.
        Draft = "draft",
        /// Searched.
        Published = "published",
    }
}

readable_choices!(ArticleStatus);

fields! {
    /// What a client may send of an article.
    pub struct ArticleFields {
        /// What it answers.
        title: Line<255> = required,
        /// Its name in addresses, unique in the workspace; made from the title unless given.
        slug: Slug,
        /// Markdown.
        body: LongText<100_000>,
        /// `draft` unless given.
        status: ArticleStatus,
        /// Labels, which are searched too.
        tags: Items<50, 100>,
    }
}

/// An article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the members are documented at ArticleFields")]
pub struct Article {
    pub id: KbArticleId,
    pub title: String,
    pub slug: String,
    pub body: Option<String>,
    pub status: ArticleStatus,
    pub tags: Vec<String>,
    /// Since when it is published; none for a draft.
    #[serde(with = "optional_timestamp_json")]
    #[schemars(with = "Option<TimestampText>")]
    pub published_at: Option<OffsetDateTime>,
    /// Counts its changes, from 1.
    pub version: i64,
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    pub updated_at: OffsetDateTime,
    pub created_by: Actor,
}

impl Article {
    /// Puts every member over what is there but the slug, which depends on what others have.
    fn apply(&mut self, fields: ArticleFields, now: OffsetDateTime) {
        if let Some(title) = fields.title.set() {
            title.as_str().clone_into(&mut self.title);
        }
        fields.body.store(&mut self.body);
        fields.tags.store_or(Vec::new(), &mut self.tags);
        fields.status.store_or(ArticleStatus::Draft, &mut self.status);
        self.published_at = match self.status {
            ArticleStatus::Draft => None,
            ArticleStatus::Published => self.published_at.or(Some(now)),
        };
    }

    /// What the audit log keeps of it.
    fn audited(&self) -> Value {
        json!({ "slug": self.slug, "status": self.status, "version": self.version })
    }
}

impl Paginated for Article {
    const LIST: ListName = ListName::KbArticles;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id.0)
    }
}
