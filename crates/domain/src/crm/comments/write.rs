//! Adds, changes and deletes comments on a record.

use serde_json::json;

use super::{CommentedId, CrmRecord, RecordComment, RecordCommentFields};
use crate::events::EventBuilder;
use crate::identity::access::Permit;
use crate::identity::audit::AuditAction;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::later;
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, transact, transact_idempotent};
use crate::records::{CommentChange, Editor, Resource};
use crate::{CommentId, Error};

/// Adds a comment to a contact, company or deal.
///
/// # Errors
/// [`Error::NotFound`] for the record.
pub async fn create<R: CommentedId>(
    ports: &Ports,
    permit: &Permit<R::Write>,
    once: Option<IdempotentRequest<RecordComment>>,
    record: R,
    fields: RecordCommentFields,
) -> Result<IdempotentResult<RecordComment>, Error> {
    create_as(ports, permit, once, record.into(), fields, |comment| comment, |_| Ok(())).await
}

/// Like [`create`], for a caller who [may write](CrmRecord::may_be_written) comments on the record. Returns the comment as `convert`
/// returns it. `also` runs in the same transaction.
pub(crate) async fn create_as<P, T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<P>,
    once: Option<IdempotentRequest<T>>,
    record: CrmRecord,
    fields: RecordCommentFields,
    convert: fn(RecordComment) -> T,
    mut also: impl FnMut(&mut dyn Tx) -> Result<(), Error> + Send + 'static,
) -> Result<IdempotentResult<T>, Error> {
    let now = ports.clock.now();
    if fields.body.set().is_none() {
        return Err(Error::malformed("body", "required", "body is required"));
    }
    let id = CommentId(ports.ids.new_id());
    let mut comment = RecordComment::blank(id, record, permit.actor(), permit.actor(), now);
    comment.apply(fields);
    let reporter = EventBuilder::new(&permit.principal(), now);
    transact_idempotent(ports, permit, once, move |tx| {
        // The check also locks the record against deletion.
        if tx.references_exist(&[comment.record.reference()])? != [true] {
            return Err(Error::NotFound(comment.record.noun()));
        }
        tx.record_comments().insert(&comment)?;
        also(tx)?;
        tx.emit(&[reporter.happened(&comment, "comment_added")])?;
        Ok(convert(comment.clone()))
    })
    .await
}

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
fn find(tx: &mut dyn Tx, record: CrmRecord, id: CommentId) -> Result<RecordComment, Error> {
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
