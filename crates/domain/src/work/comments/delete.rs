//! Deletes a comment on a task or a ticket.

use serde_json::json;

use super::update::find;
use super::{Comment, Visibility};
use crate::identity::access::{ActorKind, DeleteComments, Permit};
use crate::identity::audit::AuditAction;
use crate::kernel::IssueKind;
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, transact};
use crate::records::{self, Editor};
use crate::work::issues::Issue;
use crate::{CommentId, Error, IssueId};

/// Permanently deletes a comment on a task or a ticket. The remaining messages decide whether the customer waits for an answer.
///
/// # Errors
/// [`Error::NotFound`] for the issue or the comment, [`Error::Forbidden`] for the comment of another author,
/// [`Error::ConcurrentUpdate`].
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteComments>,
    (issue, id): (IssueId, CommentId),
    expected: ExpectedVersion,
) -> Result<(), Error> {
    let editor = Editor::new(ports, permit, AuditAction::CommentDeleted, id);
    transact(ports, permit, move |tx| {
        let stored = find(tx, editor.permit(), issue, id)?;
        delete_in(tx, &editor, &stored, &expected)
    })
    .await
}

/// Deletes a locked comment.
pub(super) fn delete_in<P>(
    tx: &mut dyn Tx,
    editor: &Editor<P>,
    stored: &Comment,
    expected: &ExpectedVersion,
) -> Result<(), Error> {
    let role = editor.check(tx, stored.author)?;
    expected.check(stored.version)?;
    tx.comments().delete(stored.id)?;
    let issue = tx.records::<Issue>().get(stored.issue_id)?.ok_or(Error::NotFound("issue"))?;
    if issue.kind == IssueKind::Ticket {
        update_conversation(tx, stored)?;
    }
    tx.emit(&[editor.reporter().comment_deleted(stored, &issue, editor.now)])?;
    editor.note(tx, role, stored.author, &json!({ "type": "issue", "id": stored.issue_id }))
}

/// Updates the conversation of a ticket after a comment was deleted.
fn update_conversation(tx: &mut dyn Tx, deleted: &Comment) -> Result<(), Error> {
    let mut ticket: Issue = records::lock(tx, deleted.issue_id)?;
    let is_answer = deleted.visibility == Visibility::Public && deleted.author.kind != ActorKind::Customer;
    let answer = is_answer.then_some(deleted.created_at);
    let left = tx.comments().message_times(ticket.id, ticket.waits_from(answer))?;
    ticket.message_deleted(answer, left);
    Ok(tx.records::<Issue>().save(&ticket)?)
}
