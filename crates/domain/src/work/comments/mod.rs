//! Comments on issues (interface 11.12–11.14).

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
        /// The customer too; on tickets only.
        Public = "public",
        /// The workspace only.
        Internal = "internal",
    }
}

readable_choices!(Visibility);

resource! {
    /// The writable fields of a comment.
    pub input CommentFields;

    /// A comment.
    pub record Comment(CommentId, issue_id: IssueId, author: Actor) {
        // The issue that it belongs to.
        [read_only issue_id: IssueId = issue_id],
        /// What is said.
        body: LongText<10_000> = required,
        /// public: the customer reads it too; tickets only.
        /// Default: internal.
        visibility: Visibility = default(Visibility::Internal),
        // The author.
        [read_only author: Actor = author],
    }
}

impl Paginated for Comment {
    const LIST: ListName = ListName::Comments;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.created_at, self.id.0)
    }
}
