//! Finds the record that an id belongs to, so that an error can say that the record is of another kind or deleted (interface 15.12).

use time::OffsetDateTime;
use uuid::Uuid;

use super::{RecordKind, may_see_deleted, restorable_since};
use crate::Error;
use crate::identity::access::{Actor, Caller, Permit};
use crate::ports::{Ports, StoreError, Tx, read_only_by};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordById {
    pub kind: RecordKind,
    /// `None` for a live record.
    pub deleted_at: Option<OffsetDateTime>,
}

/// The record with this id, if the caller's tools reach it. A live record takes the permission to read its kind. A record that was
/// deleted within the last 30 days also takes the permission to delete its kind.
pub async fn find_by_id(ports: &Ports, caller: &Caller, id: Uuid) -> Result<Option<RecordById>, Error> {
    let since = restorable_since(ports.clock.now());
    let reader = caller.credential().actor();
    let found = read_only_by(ports, caller, move |tx| Ok(find(tx, id, since, reader)?)).await?;
    Ok(found.filter(|record| {
        let sees_deleted = || record.kind.deletes().is_some_and(|needed| caller.tools().has(needed));
        caller.tools().has(record.kind.read_permission()) && (record.deleted_at.is_none() || sees_deleted())
    }))
}

/// The record with an id; of a kind whose records may have owners only a live one that the reader sees.
fn find(tx: &mut dyn Tx, id: Uuid, since: OffsetDateTime, reader: Actor) -> Result<Option<RecordById>, StoreError> {
    let found = tx.record_search().find_by_id(id, since)?;
    Ok(match found {
        Some(record) if record.kind.has_owners() && !tx.has_live(&[record.kind], id, reader)? => None,
        found => found,
    })
}

/// The same within the transaction of a permitted call.
pub(crate) fn find_with_permit<P>(
    tx: &mut dyn Tx,
    permit: &Permit<P>,
    id: Uuid,
    now: OffsetDateTime,
) -> Result<Option<RecordById>, StoreError> {
    let found = find(tx, id, restorable_since(now), permit.actor())?;
    Ok(found.filter(|record| {
        permit.may_read(record.kind.reads()) && (record.deleted_at.is_none() || may_see_deleted(permit, record.kind))
    }))
}
