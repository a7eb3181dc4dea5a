//! Deletes a comment on a record.

use serde_json::json;

use super::update::find;
use super::{CommentedId, RecordComment};
use crate::identity::access::Permit;
use crate::identity::audit::AuditAction;
use crate::kernel::later;
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, transact};
use crate::records::Editor;
use crate::{CommentId, Error};

/// Deletes a comment on a contact, company or deal permanently.
///
/// # Errors
/// [`Error::NotFound`] for the record or the comment, [`Error::Forbidden`] for the comment of another author,
/// [`Error::ConcurrentUpdate`].
pub async fn delete<R: CommentedId>(
    ports: &Ports,
    permit: &Permit<R::Delete>,
    (record, id): (R, CommentId),
    expected: ExpectedVersion,
) -> Result<(), Error> {
    let editor = Editor::new(ports, permit, AuditAction::CommentDeleted, id);
    transact(ports, permit, move |tx| {
        let stored = find(tx, record.into(), id)?;
        delete_in(tx, &editor, stored, &expected)
    })
    .await
}

/// Deletes a locked comment.
pub(crate) fn delete_in<P>(
    tx: &mut dyn Tx,
    editor: &Editor<P>,
    stored: RecordComment,
    expected: &ExpectedVersion,
) -> Result<(), Error> {
    let role = editor.check(tx, stored.author)?;
    expected.check(stored.version)?;
    tx.record_comments().delete(stored.id)?;
    editor.note(tx, role, stored.author, &json!(stored.record))?;
    // The version is bumped so that consumers can order the deletion.
    let deleted =
        RecordComment { version: stored.version + 1, updated_at: later(stored.updated_at, editor.now), ..stored };
    Ok(tx.emit(&[editor.reporter().happened(&deleted, "comment_deleted")])?)
}
