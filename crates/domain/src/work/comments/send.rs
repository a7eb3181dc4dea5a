//! Sending what a person wrote: a comment in place of their draft, held back if it crosses another answer.

use time::OffsetDateTime;

use super::any_record::create_any_as;
use super::{AnyComment, CommentFields, CommentedRecord, Visibility};
use crate::identity::access::{CreateComments, Permit};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, Tx};
use crate::{CommentId, Error, IssueId, UserId};

/// The most crossing comments that are named.
pub const MAX_CROSSED: u32 = 100;

/// How much of a ticket's conversation with its customer a writer has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// No public comment.
    Nothing,
    /// All up to this public comment.
    Until { created_at: OffsetDateTime, id: CommentId },
}

/// What sending a comment means beside adding it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sending {
    /// Whose draft it was.
    draft_of: Option<UserId>,
    /// `None` for who does not care.
    seen: Option<Seen>,
}

impl Sending {
    /// Holds a public comment back if there are newer ones than its writer has seen. The ticket is locked.
    pub(super) fn check(self, tx: &mut dyn Tx, ticket: IssueId) -> Result<(), Error> {
        let Some(seen) = self.seen else { return Ok(()) };
        let newer = tx.comments().public_behind(ticket, seen)?;
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

/// Adds a comment as [`create_any`](super::create_any) does, and removes the person's draft of it in the same transaction. A
/// public one is held back if `seen` says that its writer has not seen all that the customer and colleagues wrote.
///
/// # Errors
/// Those of [`create_any`](super::create_any); [`Error::CrossedComments`], which keeps the draft; [`Error::SessionNeeded`] for an API key.
pub async fn send(
    ports: &Ports,
    permit: &Permit<CreateComments>,
    once: Option<IdempotentRequest<AnyComment>>,
    on: CommentedRecord,
    fields: CommentFields,
    seen: Option<Seen>,
) -> Result<IdempotentResult<AnyComment>, Error> {
    let (_, user) = permit.session().ok_or(Error::SessionNeeded)?;
    create_any_as(ports, permit, once, on, fields, Sending { draft_of: Some(user), seen }).await
}
