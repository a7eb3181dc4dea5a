//! Carries out an upsert.

use std::collections::{HashMap, HashSet};
use std::marker::PhantomData;

use time::OffsetDateTime;
use uuid::Uuid;

use super::contents::Upsert;
use super::outcome::{ItemError, Outcome, Outcomes, Upserted};
use super::plan::{KeyNames, KeyedItem, Plan, keyed, matched, repeats_record};
use crate::events::{Event, EventSource};
use crate::identity::access::{Permit, ToolPermit};
use crate::identity::notifications::Assignment;
use crate::identity::workspaces::Workspace;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::{KeySet, KeyedRecord, RecordKeys, batches};
use crate::limits::quota;
use crate::ports::{BatchRepo, Ports, RowLock, Tx, Weight, weighed_transact_idempotent};
use crate::records::{Editable, Kind, Resource, Writing, assignment, retry_on_duplicate};
use crate::{Error, Reference, References};

/// A kind of record that can be upserted. An item follows the rules of a create or an update.
pub trait Upsertable: Editable {
    /// The permission to create and update many records.
    type Upsert: ToolPermit;
    /// The member of [`RecordKeys::natural`], if there is one.
    const NATURAL_KEY: Option<&'static str>;

    fn batch(tx: &mut dyn Tx) -> &mut dyn BatchRepo<Self>;
    fn keys_of(fields: &Self::Fields) -> RecordKeys;

    /// The company that an item refers to, for kinds with a company.
    fn company_of(_fields: &Self::Fields) -> Option<Uuid> {
        None
    }
}

pub(super) const fn key_names<R: Upsertable>() -> KeyNames {
    KeyNames { noun: R::NOUN, natural: R::NATURAL_KEY }
}

pub(super) struct Run<R> {
    writing: Writing,
    pub(super) may_read: bool,
    is_dry: bool,
    record: PhantomData<fn() -> R>,
}

/// Creates or changes a record for each item, in one transaction.
///
/// # Errors
/// Store errors and those of idempotency; everything else is decided per item.
pub async fn upsert<R: Upsertable>(
    ports: &Ports,
    permit: &Permit<R::Upsert>,
    once: Option<IdempotentRequest<Upserted>>,
    upsert: Upsert<R::Fields>,
) -> Result<IdempotentResult<Upserted>, Error> {
    let run = Run::<R> { is_dry: upsert.dry_run, ..Run::new(Writing::new(ports, permit), permit) };
    // A dry run stores nothing, not even its response.
    let once = once.filter(|_| !upsert.dry_run);
    weighed_transact_idempotent(ports, permit, Weight::Heavy, once, move |tx| run.all(tx, &upsert)).await
}

type Items<'a, R> = Vec<KeyedItem<'a, <R as Resource>::Fields>>;

impl<R: Upsertable> Run<R> {
    fn new<P>(writing: Writing, permit: &Permit<P>) -> Self {
        let may_read = R::KINDS.iter().all(|kind| permit.may_read(kind.reads()));
        Self { writing, may_read, is_dry: false, record: PhantomData }
    }

    /// The context for rows of a file.
    pub(super) fn of_import<P>(ports: &Ports, permit: &Permit<P>) -> Self {
        Self::new(Writing::of_import(ports, permit), permit)
    }

    pub(super) const fn workspace(&self) -> &Workspace {
        &self.writing.workspace
    }

    pub(super) const fn now(&self) -> OffsetDateTime {
        self.writing.now
    }

    pub(super) fn created_event(&self, record: &impl EventSource) -> Event {
        self.writing.reporter.happened(record, "created")
    }

    /// Takes locks in the same order as single writes: rows, references of new records, the quota, unique values. Changes check their
    /// references last. There they wait only for deletions, which themselves wait only for references, so no deadlock arises.
    fn all(&self, tx: &mut dyn Tx, upsert: &Upsert<R::Fields>) -> Result<Upserted, Error> {
        let mut outcomes = Outcomes::default();
        let keyed = keyed(&upsert.items, key_names::<R>(), R::keys_of, &mut outcomes);
        let found = self.find(tx, &keys_of(&keyed))?;
        let mut plan = matched(keyed, &found, key_names::<R>(), self.may_read, &mut outcomes);
        for (item, first) in std::mem::take(&mut plan.repeated) {
            outcomes.fail(item.index, repeats_record(first, key_names::<R>()));
        }
        let assignments = self.carry_out(tx, plan, &mut outcomes)?;
        if !self.is_dry {
            self.writing.notify(tx, &assignments)?;
        }
        Ok(outcomes.into_result())
    }

    /// Carries out the plan, and returns the assignments to notify about.
    pub(super) fn carry_out(
        &self,
        tx: &mut dyn Tx,
        plan: Plan<'_, '_, R::Fields>,
        outcomes: &mut Outcomes,
    ) -> Result<Vec<Assignment>, Error> {
        let records = self.new_records(tx, plan.creations, outcomes)?;
        let mut assignments = Vec::new();
        for batch in batches(plan.changes, |(_, record)| record.bytes) {
            self.change(tx, batch, &mut assignments, outcomes)?;
        }
        self.create(tx, records, &mut assignments, outcomes)?;
        Ok(assignments)
    }

    /// Finds and locks the records that have any of the keys. No other batch of this kind is written until the transaction ends.
    pub(super) fn find(&self, tx: &mut dyn Tx, keys: &KeySet) -> Result<Vec<KeyedRecord>, Error> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        if self.is_dry {
            return Ok(R::batch(tx).with_keys(keys, RowLock::None)?);
        }
        R::batch(tx).lock_batches()?;
        Ok(R::batch(tx).with_keys(keys, RowLock::ForUpdate)?)
    }

    /// The new record, without the null fields that an update would remove, so that sending the item again changes nothing.
    fn new_record(&self, tx: &mut dyn Tx, fields: &R::Fields) -> Result<R, Error> {
        let mut record = R::new(self.writing.ports.ids.new_id().into(), &self.writing);
        let fields = record.merged(fields.clone())?;
        record.fill(fields.clone(), &self.writing)?;
        record.settle(&fields, None, tx, &self.writing)?;
        Ok(record)
    }

    /// The record after an update, and whether the rules allow the update.
    fn changed(&self, tx: &mut dyn Tx, stored: &R, fields: &R::Fields) -> (R, Result<(), Error>) {
        let mut record = stored.clone();
        let allowed = stored.merged(fields.clone()).and_then(|fields| {
            record.fill(fields.clone(), &self.writing)?;
            record.settle(&fields, Some(stored), tx, &self.writing)
        });
        (record, allowed)
    }

    /// Builds the new records that are valid and within the quota, and takes that quota.
    fn new_records(
        &self,
        tx: &mut dyn Tx,
        items: Items<'_, R>,
        outcomes: &mut Outcomes,
    ) -> Result<Vec<(usize, R)>, Error> {
        let mut records = Vec::with_capacity(items.len());
        for KeyedItem { index, item, .. } in items {
            match &item.not_creatable {
                Some(error) => outcomes.fail(index, error.clone()),
                None => match self.new_record(tx, &item.fields) {
                    Ok(record) => records.push((index, record)),
                    Err(error) => outcomes.fail(index, ItemError::of(&error)),
                },
            }
        }
        let references: Vec<_> = records.iter().map(|(_, record)| record.new_references(None)).collect();
        let missing = missing(tx, &references)?;
        let mut complete = Vec::with_capacity(records.len());
        for ((index, record), references) in records.into_iter().zip(references) {
            match references.check_against(&missing) {
                Ok(()) => complete.push((index, record)),
                Err(error) => outcomes.fail(index, ItemError::of(&error)),
            }
        }
        self.within_quota(tx, complete, outcomes)
    }

    fn within_quota(
        &self,
        tx: &mut dyn Tx,
        mut records: Vec<(usize, R)>,
        outcomes: &mut Outcomes,
    ) -> Result<Vec<(usize, R)>, Error> {
        if records.is_empty() {
            return Ok(records);
        }
        let (count, now) = (records.len() as u64, self.writing.now);
        let granted = if self.is_dry {
            quota::remaining(tx, now, count)?
        } else {
            quota::take_many(tx, self.workspace().allowance(), self.workspace().version, now, count)?
        };
        let fitting = usize::try_from(granted.records).unwrap_or(usize::MAX).min(records.len());
        for (index, _) in records.drain(fitting..) {
            outcomes.fail(index, ItemError::of_quota(&quota::exceeded(granted.limit, now), quota::month_end(now)));
        }
        Ok(records)
    }

    /// Changes one batch of records.
    fn change(
        &self,
        tx: &mut dyn Tx,
        batch: Vec<(KeyedItem<'_, R::Fields>, &KeyedRecord)>,
        assignments: &mut Vec<Assignment>,
        outcomes: &mut Outcomes,
    ) -> Result<(), Error> {
        let ids: Vec<_> = batch.iter().map(|(_, record)| record.id).collect();
        let stored: HashMap<_, _> = R::batch(tx).get_many(&ids)?.into_iter().map(|it| (it.uuid(), it)).collect();
        let mut changes = Vec::with_capacity(batch.len());
        for (KeyedItem { index, item, .. }, record) in batch {
            let Some(stored) = stored.get(&record.id) else {
                // Deleted since it was found. That can happen only in a dry run, which takes no locks.
                outcomes.fail(index, ItemError::of(&Error::NotFound(R::NOUN)));
                continue;
            };
            let (after, state) = self.changed(tx, stored, &item.fields);
            let version = item.expected.check(Kind::version(stored));
            let references = after.new_references(Some(stored));
            changes.push(Change { index, before: stored, after, references, version, state });
        }
        let missing = missing(tx, changes.iter().map(|change| &change.references))?;
        let (mut written, mut events) = (Vec::new(), Vec::new());
        for Change { index, before, mut after, references, version, state } in changes {
            let id = before.uuid();
            match references.check_against(&missing).and(version).and(state) {
                Err(error @ Error::ConcurrentUpdate { .. }) => {
                    outcomes.fail(index, ItemError::of_version(&error, self.may_read.then_some(id)));
                }
                Err(error) => outcomes.fail(index, ItemError::of(&error)),
                Ok(()) if after == *before => outcomes.set(index, Outcome::Unchanged(id)),
                Ok(()) => {
                    after.bump_version(self.writing.now);
                    events.extend(self.writing.reporter.updated(before, &after));
                    assignments.extend(assignment(Some(before), &after));
                    written.push(after);
                    outcomes.set(index, Outcome::Updated(id));
                }
            }
        }
        if !self.is_dry && !written.is_empty() {
            retry_on_duplicate(R::batch(tx).save_many(&written))?;
            tx.emit(&events)?;
        }
        Ok(())
    }

    /// Inserts the new records.
    fn create(
        &self,
        tx: &mut dyn Tx,
        records: Vec<(usize, R)>,
        assignments: &mut Vec<Assignment>,
        outcomes: &mut Outcomes,
    ) -> Result<(), Error> {
        let (indexes, records): (Vec<_>, Vec<_>) = records.into_iter().unzip();
        for (index, record) in indexes.iter().zip(&records) {
            outcomes.set(*index, Outcome::Created((!self.is_dry).then(|| record.uuid())));
            assignments.extend(assignment(None, record));
        }
        if !self.is_dry && !records.is_empty() {
            retry_on_duplicate(R::batch(tx).insert_many(&records))?;
            let events: Vec<_> = records.iter().flat_map(|record| self.writing.reporter.created(record)).collect();
            tx.emit(&events)?;
        }
        Ok(())
    }
}

pub(super) fn keys_of<F>(items: &[KeyedItem<'_, F>]) -> KeySet {
    let mut keys = KeySet::default();
    for item in items {
        keys.add(&item.keys);
        keys.ids.extend(item.item.id);
    }
    keys
}

/// A record before and after its item.
struct Change<'a, R> {
    index: usize,
    before: &'a R,
    after: R,
    references: References,
    /// Whether the record has the expected version.
    version: Result<(), Error>,
    /// Whether the rules and the state of the record allow the change.
    state: Result<(), Error>,
}

/// The referenced records that do not exist. One statement; none without references.
fn missing<'a>(
    tx: &mut dyn Tx,
    references: impl IntoIterator<Item = &'a References>,
) -> Result<HashSet<Reference>, Error> {
    let distinct: HashSet<_> = references.into_iter().flat_map(References::targets).collect();
    if distinct.is_empty() {
        return Ok(distinct);
    }
    let targets: Vec<_> = distinct.into_iter().collect();
    let found = tx.references_exist(&targets)?;
    Ok(targets.into_iter().zip(found).filter(|(_, exists)| !exists).map(|(reference, _)| reference).collect())
}
