//! Comments on issues (interface 11.12–11.14, 11.22–11.24).

mod any_record;
pub(super) mod events;
mod list;
mod send;
mod write;

pub use crate::records::CommentChange;
pub use any_record::{
    AnyComment, CommentedRecord, create_any, delete_any, list_any, list_of_loaded, read_any, update_any,
};
pub use list::{LATEST, LatestComments, latest, list};
pub use send::{LastSeen, MAX_CROSSED, send};
pub use write::{create, delete, update};

use time::OffsetDateTime;

use crate::identity::access::Actor;
use crate::kernel::input::{LongText, choices, readable_choices};
use crate::kernel::paging::paginated;
use crate::kernel::search::SearchWords;
use crate::records::{MAX_COMMENT, resource};
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
        [read_only issue_id: IssueId = issue_id],
        /// What is said.
        body: LongText<MAX_COMMENT> = required,
        /// public: the customer sees it too; tickets only.
        /// Default: internal.
        visibility: Visibility = default(Visibility::Internal),
        [read_only author: Actor = author],
        // When the text was last changed; `None` if it never was.
        [
            /// Contract: additional.
            read_only edited_at: Option<OffsetDateTime> = None
        ],
    }
}

impl Comment {
    /// The words by which a search finds the issue.
    pub fn search_words(&self) -> Vec<String> {
        SearchWords::in_text(&self.body)
    }
}

paginated!(Comment: COMMENTS);
