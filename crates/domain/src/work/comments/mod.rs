//! Comments on issues (contract: resources, issue comment).

mod create;
mod events;
mod list;

pub use create::create;
pub use list::list;

use time::OffsetDateTime;
use uuid::Uuid;

use crate::identity::access::Actor;
use crate::kernel::input::{LongText, choices, readable_choices};
use crate::kernel::paging::{ListName, Paginated};
use crate::records::resource;
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

resource! {
    /// What a client may send of a comment.
    pub input CommentFields;

    /// A comment.
    pub record Comment(CommentId, issue_id: IssueId, author: Actor) {
        // The issue that it is about.
        [read_only issue_id: IssueId = issue_id],
        /// The text.
        body: LongText<10_000> = required,
        /// Who may read it; `internal` unless given, and always on tasks.
        visibility: Visibility = default(Visibility::Internal),
        // Who wrote it.
        [read_only author: Actor = author],
    }
}

impl Paginated for Comment {
    const LIST: ListName = ListName::Comments;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id.0)
    }
}
