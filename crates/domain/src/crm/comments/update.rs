//! Changes a comment on a record.

use serde_json::json;

use super::{CommentedId, CrmRecord, RecordComment};
use crate::identity::access::Permit;
use crate::identity::audit::AuditAction;
use crate::kernel::later;
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, transact};
use crate::records::{CommentChange, Editor};
use crate::{CommentId, Error};

/// Changes the text of a comment on a contact, company or deal. The same text changes nothing, not even the version.
///
/// # Errors
/// [`Error::NotFound`] for the record or the comment, [`Error::Forbidden`] for the comment of another author,
/// [`Error::ConcurrentUpdate`].
pub async fn update<R: CommentedId>(
    ports: &Ports,
    permit: &Permit<R::Write>,
    (record, id): (R, CommentId),
    expected: ExpectedVersion,
    change: CommentChange,
) -> Result<RecordComment, Error> {
    let body = change.into_body()?;
    let editor = Editor::new(ports, permit, AuditAction::CommentUpdated, id);
    transact(ports, permit, move |tx| {
        let stored = find(tx, record.into(), id)?;
        update_in(tx, &editor, stored, &expected, &body)
    })
    .await
}

/// Locks a comment on a live record.
pub(super) fn find(tx: &mut dyn Tx, record: CrmRecord, id: CommentId) -> Result<RecordComment, Error> {
    record.check_live(tx)?;
    let stored = tx.record_comments().get_for_update(id)?.filter(|comment| comment.record == record);
    stored.ok_or(Error::NotFound("comment"))
}

/// Changes a locked comment.
pub(crate) fn update_in<P>(
    tx: &mut dyn Tx,
    editor: &Editor<P>,
    stored: RecordComment,
    expected: &ExpectedVersion,
    body: &str,
) -> Result<RecordComment, Error> {
    let role = editor.check(tx, stored.author)?;
    expected.check(stored.version)?;
    if stored.body == body {
        return Ok(stored);
    }
    let changed = RecordComment {
        body: body.to_owned(),
        edited_at: Some(editor.now),
        version: stored.version + 1,
        updated_at: later(stored.updated_at, editor.now),
        ..stored.clone()
    };
    tx.record_comments().save(&changed)?;
    editor.note(tx, role, stored.author, &json!(stored.record))?;
    tx.emit(&editor.reporter().updated(&stored, &changed))?;
    Ok(changed)
}
