//! Deleting a comment on a task or a ticket.

use serde_json::json;

use super::Comment;
use super::update::find;
use crate::identity::access::{DeleteComments, Permit};
use crate::identity::audit::AuditAction;
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, transact};
use crate::records::Editor;
use crate::{CommentId, Error, IssueId};

/// Deletes a comment on a task or a ticket for good; its customer no longer sees it.
///
/// # Errors
/// [`Error::NotFound`] for the issue or the comment, [`Error::Forbidden`] for somebody else's,
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
    let issue = tx.issues().get(stored.issue_id)?.ok_or(Error::NotFound("issue"))?;
    tx.emit(&[editor.reporter().comment_deleted(stored, &issue, editor.now)])?;
    editor.note(tx, role, stored.author, &json!({ "type": "issue", "id": stored.issue_id }))
}
