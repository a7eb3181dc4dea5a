//! Sends a draft as a comment. A public comment is held back if others have answered the customer in the meantime.

use time::OffsetDateTime;

use super::any_record::create_any_as;
use super::{AnyComment, CommentFields, CommentedRecord, Visibility};
use crate::identity::access::{CreateComments, Permit};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, Tx};
use crate::{CommentId, Error, IssueId, UserId};

/// The maximum number of crossing comments that the error names.
pub const MAX_CROSSED: u32 = 100;

/// The last public comment of a ticket that the writer of an answer has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastSeen {
    /// The writer has seen no public comment.
    Nothing,
    /// The writer has seen all up to this public comment.
    Until { created_at: OffsetDateTime, id: CommentId },
}

/// What sending a comment does in addition to adding it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SendOptions {
    /// The user whose draft becomes the comment.
    draft_of: Option<UserId>,
    /// `None` skips the check for newer comments.
    seen: Option<LastSeen>,
}

impl SendOptions {
    /// Refuses a public comment if there are public comments that its writer has not seen. The ticket must be locked.
    pub(super) fn check(self, tx: &mut dyn Tx, ticket: IssueId) -> Result<(), Error> {
        let Some(seen) = self.seen else { return Ok(()) };
        let newer = tx.comments().public_after(ticket, seen)?;
        if newer.is_empty() { Ok(()) } else { Err(Error::CrossedComments { newer }) }
    }

    /// Removes the draft that became the comment.
    pub(super) fn remove_draft(
        self,
        tx: &mut dyn Tx,
        record: CommentedRecord,
        visibility: Visibility,
    ) -> Result<(), Error> {
        if let Some(user) = self.draft_of {
            tx.drafts().delete(user, record, visibility)?;
        }
        Ok(())
    }
}

/// Adds a comment like [`create_any`](super::create_any), and removes the user's draft in the same transaction. With `seen`, a public
/// comment is refused if its writer has not seen all public comments.
///
/// # Errors
/// Those of [`create_any`](super::create_any); [`Error::CrossedComments`], which keeps the draft; [`Error::SessionNeeded`] for an API key.
pub async fn send(
    ports: &Ports,
    permit: &Permit<CreateComments>,
    once: Option<IdempotentRequest<AnyComment>>,
    on: CommentedRecord,
    fields: CommentFields,
    seen: Option<LastSeen>,
) -> Result<IdempotentResult<AnyComment>, Error> {
    let draft_of = Some(permit.session_user()?);
    create_any_as(ports, permit, once, on, fields, SendOptions { draft_of, seen }).await
}
