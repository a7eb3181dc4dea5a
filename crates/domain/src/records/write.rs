//! Creates, changes and deletes records of any kind.

use uuid::Uuid;

use super::{
    ChangeOutcome, DeletedRecord, Editable, Kind, MAX_REFERRING, RecordChange, RecordKind, Referring, WriteKind,
    Writing, assignment, change_each, lock, one_by_one,
};
use crate::Error;
use crate::identity::access::Permit;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::versions::ExpectedVersion;
use crate::limits::quota;
use crate::ports::{Ports, StoreError, Tx, statement, transact, transact_idempotent};

/// Creates a record.
///
/// # Errors
/// [`Error::Invalid`] for contradictions and missing references, [`Error::Duplicate`] of a unique value,
/// [`Error::QuotaExceeded`] for kinds that count towards the quota.
pub async fn create<K: Editable>(
    ports: &Ports,
    permit: &Permit<K::Create>,
    once: Option<IdempotentRequest<K>>,
    fields: K::Fields,
) -> Result<IdempotentResult<K>, Error> {
    create_and(ports, permit, once, fields, |_, _| Ok(())).await
}

/// Like [`create`]. `complete` fills in what depends on other records, in the same transaction.
pub(crate) async fn create_and<K: Editable>(
    ports: &Ports,
    permit: &Permit<K::Create>,
    once: Option<IdempotentRequest<K>>,
    fields: K::Fields,
    complete: impl Fn(&mut dyn Tx, &mut K) -> Result<(), Error> + Send + 'static,
) -> Result<IdempotentResult<K>, Error> {
    let writing = Writing::new(ports, permit);
    let record = filled::<K>(ports.ids.new_id(), fields.clone(), &writing)?;
    let unique = record.unique_values();
    let outcome = transact_idempotent(ports, permit, once, move |tx| {
        K::lock_all(tx)?;
        let mut record = record.clone();
        complete(tx, &mut record)?;
        let record = add(tx, record, &fields, &writing)?;
        writing.notify(tx, assignment(None, &record).as_slice())?;
        Ok(record.shown_to(writing.credential))
    });
    attach_conflicting_id(ports, permit, unique, outcome.await).await
}

/// A new record with the given fields.
///
/// # Errors
/// Those of [`Editable::fill`].
pub(super) fn filled<K: Editable>(id: Uuid, fields: K::Fields, writing: &Writing) -> Result<K, Error> {
    let mut record = K::new(id.into(), writing);
    record.fill(fields, writing)?;
    Ok(record)
}

/// Inserts a filled record and emits its event.
pub(super) fn add<K: Editable>(
    tx: &mut dyn Tx,
    mut record: K,
    fields: &K::Fields,
    writing: &Writing,
) -> Result<K, Error> {
    record.new_references(None).check(tx)?;
    record.settle(fields, None, tx, writing)?;
    if K::COUNTS {
        quota::take(tx, writing.workspace.allowance(), writing.workspace.version, writing.now)?;
    }
    tx.records::<K>().insert(&record)?;
    if record.owner().is_none() {
        tx.emit(&writing.reporter.created(&record))?;
    }
    record.audit(tx, writing, WriteKind::Created)?;
    Ok(record)
}

/// Changes a record. Values equal to the stored ones change nothing, not even the version.
///
/// # Errors
/// [`Error::NotFound`], [`Error::ConcurrentUpdate`], [`Error::Invalid`], [`Error::InvalidStateChange`],
/// [`Error::Duplicate`] of a unique value.
pub async fn update<K: Editable>(
    ports: &Ports,
    permit: &Permit<K::Update>,
    id: K::Id,
    expected: ExpectedVersion,
    fields: K::Fields,
) -> Result<K, Error> {
    let writing = Writing::new(ports, permit);
    let unique = sent_unique_values::<K>(id, fields.clone(), &writing);
    let outcome = transact(ports, permit, move |tx| {
        K::lock_all(tx)?;
        let stored: K = locked(tx, id, &writing)?;
        let record = change(tx, &stored, fields.clone(), &expected, &writing)?;
        writing.notify(tx, assignment(Some(&stored), &record).as_slice())?;
        Ok(record.shown_to(writing.credential))
    });
    attach_conflicting_id(ports, permit, unique, outcome.await).await
}

/// The unique values that an input sets.
pub(super) fn sent_unique_values<K: Editable>(id: K::Id, fields: K::Fields, writing: &Writing) -> Vec<UniqueValue> {
    let mut record = K::new(id, writing);
    // The error is ignored: the same rules are checked again with the stored record, and the unique values are set either way.
    let _ = record.fill(fields, writing);
    record.unique_values()
}

/// A record that the writer sees, locked until the transaction ends.
fn locked<K: Kind>(tx: &mut dyn Tx, id: K::Id, writing: &Writing) -> Result<K, Error> {
    let record: K = lock(tx, id)?;
    if record.is_visible_to(writing.actor()) { Ok(record) } else { Err(Error::NotFound(K::NOUN)) }
}

/// Changes a locked record, and emits the event.
pub(super) fn change<K: Editable>(
    tx: &mut dyn Tx,
    stored: &K,
    fields: K::Fields,
    expected: &ExpectedVersion,
    writing: &Writing,
) -> Result<K, Error> {
    let fields = stored.merged(fields)?;
    let mut record = stored.clone();
    record.fill(fields.clone(), writing)?;
    record.new_references(Some(stored)).check(tx)?;
    expected.check(Kind::version(stored))?;
    record.settle(&fields, Some(stored), tx, writing)?;
    if record != *stored {
        record.bump_version(writing.now);
        tx.records::<K>().save(&record)?;
        tx.emit(&match (stored.owner(), record.owner()) {
            (_, Some(_)) => Vec::new(),
            // It is new to everyone else.
            (Some(_), None) => writing.reporter.created(&record),
            (None, None) => writing.reporter.updated(stored, &record),
        })?;
        record.audit(tx, writing, WriteKind::Updated)?;
    }
    Ok(record)
}

/// Changes several records, each like [`update`], in batches. Members get one notification of all records that a batch assigns to
/// them.
pub async fn update_each<K: Editable>(
    ports: &Ports,
    permit: &Permit<K::Update>,
    changes: Vec<RecordChange<K::Fields>>,
) -> Result<Vec<ChangeOutcome>, Error> {
    let writing = Writing::new(ports, permit);
    change_each(ports, permit, changes, move |tx, batch| {
        K::lock_all(tx)?;
        let outcomes = one_by_one(tx, batch, |tx, one| {
            let stored: K = locked(tx, one.id.into(), &writing)?;
            let record = change(tx, &stored, one.fields.clone(), &one.expected, &writing)?;
            Ok((stored, record))
        })?;
        let pairs = outcomes.iter().flatten();
        let assigned: Vec<_> = pairs.filter_map(|(before, after)| assignment(Some(before), after)).collect();
        writing.notify(tx, &assigned)?;
        Ok(outcomes)
    })
    .await
}

/// Soft-deletes a record. For kinds with a [`reference`](super::Deletable::reference), returns how many records still refer to it.
///
/// # Errors
/// [`Error::NotFound`], also if it was deleted before; [`Error::ConcurrentUpdate`].
pub async fn delete<K: Editable>(
    ports: &Ports,
    permit: &Permit<K::Delete>,
    id: K::Id,
    expected: ExpectedVersion,
) -> Result<DeletedRecord, Error> {
    let writing = Writing::new(ports, permit);
    let counts = transact(ports, permit, move |tx| {
        K::lock_all(tx)?;
        let mut record: K = locked(tx, id, &writing)?;
        expected.check(Kind::version(&record))?;
        record.prepare_deletion(tx, &writing)?;
        tx.records::<K>().delete(id, writing.now)?;
        record.audit(tx, &writing, WriteKind::Deleted)?;
        // The version is bumped so that consumers can order the deletion after the last change.
        record.bump_version(writing.now);
        let counts = match K::reference(id) {
            Some(reference) => Some(tx.referring(reference, MAX_REFERRING)?),
            None => None,
        };
        let cascade = K::taken_along(tx, id, writing.now)?;
        if record.owner().is_none() {
            tx.emit(&[writing.reporter.happened(&record, "deleted").with_cascade(cascade)])?;
        }
        Ok(counts)
    })
    .await?;
    let referring = counts.map(|counts| Referring::of(counts, permit)).unwrap_or_default();
    Ok(DeletedRecord { id: id.into(), deleted: true, referring })
}

/// A value that only one live record of its kind may have in a workspace, in the form in which values are compared: for an e-mail
/// address, its [`EmailKey`](crate::kernel::input::EmailKey).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UniqueValue {
    pub kind: RecordKind,
    /// The member that holds the value.
    pub member: &'static str,
    pub value: String,
}

/// Adds the id of the conflicting record to a duplicate error, if the caller may read such records (interface 4.16). The duplicate
/// has ended the transaction, so the record is looked up after it. If it is gone by then, the error has no id.
async fn attach_conflicting_id<P, T>(
    ports: &Ports,
    permit: &Permit<P>,
    values: Vec<UniqueValue>,
    outcome: Result<T, Error>,
) -> Result<T, Error> {
    let Err(Error::Store(StoreError::Duplicate { field })) = outcome else { return outcome };
    let readable = |value: &UniqueValue| value.member == field && permit.may_read(value.kind.reads());
    let existing_id = match values.into_iter().find(readable) {
        // The duplicate is reported even if this look-up fails.
        Some(value) => statement(ports, permit, move |tx| Ok(tx.record_with(&value)?)).await.ok().flatten(),
        None => None,
    };
    Err(Error::Duplicate { field, existing_id })
}

/// Makes the whole transaction run again after a duplicate: another transaction has taken the value since it was looked up, and
/// the next look-up finds it.
pub(crate) fn retry_on_duplicate(result: Result<(), StoreError>) -> Result<(), StoreError> {
    match result {
        Err(StoreError::Duplicate { .. }) => Err(StoreError::Contended),
        other => other,
    }
}
