//! Changes a comment on a task or a ticket.

use serde_json::json;

use super::Comment;
use crate::identity::access::{ActorKind, Permit, UpdateComments};
use crate::identity::audit::AuditAction;
use crate::kernel::later;
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, transact};
use crate::records::{CommentChange, Editor};
use crate::work::issues::Issue;
use crate::{CommentId, Error, IssueId};

/// Changes the text of a comment on a task or a ticket, even if it was already mailed to the customer. The same text changes nothing,
/// not even the version.
///
/// # Errors
/// [`Error::NotFound`] for the issue or the comment, [`Error::Forbidden`] for the comment of another author,
/// [`Error::ConcurrentUpdate`].
pub async fn update(
    ports: &Ports,
    permit: &Permit<UpdateComments>,
    (issue, id): (IssueId, CommentId),
    expected: ExpectedVersion,
    change: CommentChange,
) -> Result<Comment, Error> {
    let body = change.into_body()?;
    let editor = Editor::new(ports, permit, AuditAction::CommentUpdated, id);
    transact(ports, permit, move |tx| {
        let stored = find(tx, editor.permit(), issue, id)?;
        update_in(tx, &editor, stored, &expected, &body)
    })
    .await
}

/// Finds and locks a comment on a live issue that the caller reaches.
pub(super) fn find<P>(tx: &mut dyn Tx, permit: &Permit<P>, issue: IssueId, id: CommentId) -> Result<Comment, Error> {
    let kind = tx.issues().kind_of(issue)?.filter(|kind| permit.reaches(*kind));
    kind.ok_or(Error::NotFound("issue"))?;
    let stored = tx.comments().get_for_update(id)?.filter(|comment| comment.issue_id == issue);
    stored.ok_or(Error::NotFound("comment"))
}

/// Changes a locked comment.
pub(super) fn update_in<P>(
    tx: &mut dyn Tx,
    editor: &Editor<P>,
    stored: Comment,
    expected: &ExpectedVersion,
    body: &str,
) -> Result<Comment, Error> {
    if stored.author.kind == ActorKind::Customer {
        let message = "a customer's comment cannot be changed; an owner or admin who is signed in can delete it";
        return Err(Error::Forbidden(message.to_owned()));
    }
    let role = editor.check(tx, stored.author)?;
    expected.check(stored.version)?;
    if stored.body == body {
        return Ok(stored);
    }
    let changed = Comment {
        body: body.to_owned(),
        edited_at: Some(editor.now),
        version: stored.version + 1,
        updated_at: later(stored.updated_at, editor.now),
        ..stored.clone()
    };
    tx.comments().save(&changed)?;
    let issue = tx.records::<Issue>().get(changed.issue_id)?.ok_or(Error::NotFound("issue"))?;
    tx.emit(&editor.reporter().comment_updated(&stored, &changed, &issue))?;
    let record = json!({ "type": "issue", "id": changed.issue_id });
    editor.note(tx, role, changed.author, &record)?;
    Ok(changed)
}
