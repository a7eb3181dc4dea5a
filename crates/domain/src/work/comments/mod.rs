//! Comments on issues (contract: resources, issue comment).

mod create;
mod events;
mod list;

pub use create::create;
pub use list::list;

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::identity::access::Actor;
use crate::kernel::input::schema::TimestampText;
use crate::kernel::input::{LongText, choices, fields, readable_choices, timestamp_json};
use crate::kernel::paging::{ListName, Paginated};
use crate::{CommentId, IssueId};

choices! {
    /// Who may read a comment.
    pub enum Visibility {
        /// The customer too; on tickets alone.
        Public = "public",
        /// The workspace alone.
        Internal = "internal",
    }
}

readable_choices!(Visibility);

fields! {
    /// What a client may send of a comment.
    pub struct CommentFields {
        /// The text.
        body: LongText<10_000> = required,
        /// Who may read it; `internal` unless given, and always on tasks.
        visibility: Visibility,
    }
}

/// A comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the members without a note are documented at CommentFields")]
pub struct Comment {
    pub id: CommentId,
    /// The issue that it is about.
    pub issue_id: IssueId,
    pub body: String,
    pub visibility: Visibility,
    /// Who wrote it.
    pub author: Actor,
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

impl Paginated for Comment {
    const LIST: ListName = ListName::Comments;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id.0)
    }
}
