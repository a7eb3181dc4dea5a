//! Adds a comment to a record.

use super::{CommentedId, RecordComment, RecordCommentFields};
use crate::events::EventBuilder;
use crate::identity::access::Permit;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::{Ports, Tx, transact_idempotent};
use crate::records::Resource;
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
    create_as(ports, permit, once, record, fields, |comment| comment, |_| Ok(())).await
}

/// Like [`create`], but returns the comment as `convert` returns it. `also` runs in the same transaction.
pub(crate) async fn create_as<R: CommentedId, T: Send + 'static>(
    ports: &Ports,
    permit: &Permit<R::Write>,
    once: Option<IdempotentRequest<T>>,
    record: R,
    fields: RecordCommentFields,
    convert: fn(RecordComment) -> T,
    mut also: impl FnMut(&mut dyn Tx) -> Result<(), Error> + Send + 'static,
) -> Result<IdempotentResult<T>, Error> {
    let now = ports.clock.now();
    if fields.body.set().is_none() {
        return Err(Error::malformed("body", "required", "body is required"));
    }
    let id = CommentId(ports.ids.new_id());
    let mut comment = RecordComment::blank(id, record.into(), permit.actor(), permit.actor(), now);
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
