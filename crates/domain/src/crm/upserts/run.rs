//! Carries out an upsert.

use std::collections::{HashMap, HashSet};
use std::marker::PhantomData;
use std::sync::Arc;

use time::OffsetDateTime;
use uuid::Uuid;

use super::contents::Upsert;
use super::outcome::{ItemError, Outcome, Outcomes, Upserted};
use super::plan::{KeyNames, KeyedItem, batches, keyed, matched};
use crate::identity::access::{Actor, Permit, ReadRequirement};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::Input;
use crate::kernel::{KeySet, KeyedRecord, RecordKeys};
use crate::limits::{Allowance, quota};
use crate::ports::{BatchRepo, Ids, Ports, RowLock, StoreError, Tx, Weight, weighed_transact_idempotent};
use crate::records::{Record, Resource};
use crate::tools::ToolPermission;
use crate::webhooks::{Event, EventBuilder, EventSource, Module};
use crate::{Error, Reference, References};

/// A kind of record that can be upserted. What an item does to a record is what a create or an update does.
pub(crate) trait Upsertable: Record + EventSource + Resource<Input: Input + Clone + Send> {
    const KEYS: KeyNames;
    /// What a caller needs to be told of a record that they did not mean.
    const READ: ToolPermission;

    fn batch(tx: &mut dyn Tx) -> &mut dyn BatchRepo<Self>;
    fn uuid(&self) -> Uuid;
    fn keys_of(fields: &Self::Input) -> RecordKeys;

    /// The record that a create makes.
    fn made(fields: Self::Input, id: Uuid, writing: &Writing) -> Self;

    /// The record after an update, and whether its state allows that.
    fn changed(&self, fields: Self::Input, writing: &Writing) -> (Self, Result<(), Error>);

    /// The events of a change.
    fn change_events(&self, after: &Self, reporter: &EventBuilder) -> Vec<Event> {
        reporter.updated(self, after)
    }
}

/// What the records of one upsert have in common.
#[derive(Debug)]
pub(crate) struct Writing {
    pub(crate) actor: Actor,
    pub(crate) now: OffsetDateTime,
    /// The workspace's.
    pub(crate) default_currency: String,
}

struct Run<R> {
    writing: Writing,
    reporter: EventBuilder,
    ids: Arc<dyn Ids>,
    allowance: Allowance,
    workspace_version: i64,
    may_read: bool,
    is_dry: bool,
    record: PhantomData<fn() -> R>,
}

/// Creates or changes a record for each item, in one transaction.
///
/// # Errors
/// Those of the store and of idempotency; everything else is decided per item.
pub(crate) async fn upsert<P, R: Upsertable>(
    ports: &Ports,
    permit: &Permit<P>,
    once: Option<IdempotentRequest<Upserted>>,
    upsert: Upsert<R::Input>,
) -> Result<IdempotentResult<Upserted>, Error> {
    let now = ports.clock.now();
    let workspace = permit.workspace();
    let run = Run::<R> {
        writing: Writing { actor: permit.actor(), now, default_currency: workspace.default_currency.clone() },
        reporter: EventBuilder::new(&permit.principal(), now),
        ids: Arc::clone(&ports.ids),
        allowance: workspace.allowance(),
        workspace_version: workspace.version,
        may_read: permit.may_read(ReadRequirement::Records(R::READ)),
        is_dry: upsert.dry_run,
        record: PhantomData,
    };
    // A dry run leaves nothing behind, not even its response.
    let once = once.filter(|_| !upsert.dry_run);
    weighed_transact_idempotent(ports, permit, Weight::Heavy, once, move |tx| run.all(tx, &upsert)).await
}

type Items<'a, R> = Vec<KeyedItem<'a, <R as Resource>::Input>>;

impl<R: Upsertable> Run<R> {
    /// Takes its locks in the same order as single writes do: rows, then references, then the quota, then unique values.
    fn all(&self, tx: &mut dyn Tx, upsert: &Upsert<R::Input>) -> Result<Upserted, Error> {
        let mut outcomes = Outcomes::default();
        let keyed = keyed(&upsert.items, R::KEYS, R::keys_of, &mut outcomes);
        let mut keys = KeySet::default();
        keyed.iter().for_each(|item| keys.add(&item.keys));
        let found = self.find(tx, &keys)?;
        let plan = matched(keyed, &found, R::KEYS, self.may_read, &mut outcomes);
        let made = self.made(tx, plan.creations, &mut outcomes)?;
        let listened = !self.is_dry && tx.has_listeners(Module::Crm);
        for batch in batches(plan.changes) {
            self.change(tx, batch, listened, &mut outcomes)?;
        }
        self.create(tx, made, listened, &mut outcomes)?;
        Ok(outcomes.into_result())
    }

    /// The records that have any of the keys. Nobody else writes batches of this kind until the transaction ends.
    fn find(&self, tx: &mut dyn Tx, keys: &KeySet) -> Result<Vec<KeyedRecord>, Error> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        if self.is_dry {
            return Ok(R::batch(tx).with_keys(keys, RowLock::None)?);
        }
        R::batch(tx).lock_batches()?;
        Ok(R::batch(tx).with_keys(keys, RowLock::ForUpdate)?)
    }

    /// The new records for which there is quota; it is counted.
    fn made(&self, tx: &mut dyn Tx, items: Items<'_, R>, outcomes: &mut Outcomes) -> Result<Vec<(usize, R)>, Error> {
        let mut made = Vec::with_capacity(items.len());
        for KeyedItem { index, item, .. } in items {
            match &item.not_creatable {
                Some(error) => outcomes.fail(index, error.clone()),
                None => made.push((index, R::made(item.fields.clone(), self.ids.new_id(), &self.writing))),
            }
        }
        let references: Vec<_> = made.iter().map(|(_, record)| record.new_references(None)).collect();
        let missing = missing(tx, &references)?;
        let mut references = references.into_iter();
        made.retain(|(index, _)| {
            let checked = references.next().unwrap_or_default().check_against(&missing);
            checked.inspect_err(|error| outcomes.fail(*index, ItemError::of(error))).is_ok()
        });
        self.within_quota(tx, made, outcomes)
    }

    fn within_quota(
        &self,
        tx: &mut dyn Tx,
        mut made: Vec<(usize, R)>,
        outcomes: &mut Outcomes,
    ) -> Result<Vec<(usize, R)>, Error> {
        if made.is_empty() {
            return Ok(made);
        }
        let (wanted, now) = (made.len() as u64, self.writing.now);
        let granted = if self.is_dry {
            quota::left(tx, now, wanted)?
        } else {
            quota::take_many(tx, self.allowance, self.workspace_version, now, wanted)?
        };
        let fitting = usize::try_from(granted.records).unwrap_or(usize::MAX).min(made.len());
        for (index, _) in made.drain(fitting..) {
            outcomes.fail(index, ItemError::of(&quota::exceeded(granted.limit, now)));
        }
        Ok(made)
    }

    /// Changes one batch of records.
    fn change(
        &self,
        tx: &mut dyn Tx,
        batch: Vec<(KeyedItem<'_, R::Input>, Uuid)>,
        listened: bool,
        outcomes: &mut Outcomes,
    ) -> Result<(), Error> {
        let ids: Vec<_> = batch.iter().map(|(_, id)| *id).collect();
        let stored: HashMap<_, _> = R::batch(tx).get_many(&ids)?.into_iter().map(|it| (it.uuid(), it)).collect();
        let mut changes = Vec::with_capacity(batch.len());
        for (KeyedItem { index, item, .. }, id) in batch {
            let Some(stored) = stored.get(&id) else {
                // Deleted since it was found, which only a dry run allows.
                outcomes.fail(index, ItemError::of(&Error::NotFound(R::NOUN)));
                continue;
            };
            let (changed, state) = stored.changed(item.fields.clone(), &self.writing);
            changes.push(Change { index, references: changed.new_references(Some(stored)), stored, changed, state });
        }
        let references: Vec<_> = changes.iter().map(|change| change.references.clone()).collect();
        let missing = missing(tx, &references)?;
        let (mut written, mut events) = (Vec::new(), Vec::new());
        for Change { index, references, stored, mut changed, state } in changes {
            let id = stored.uuid();
            match references.check_against(&missing).and(state) {
                Err(error) => outcomes.fail(index, ItemError::of(&error)),
                Ok(()) if changed == *stored => outcomes.set(index, Outcome::Unchanged(id)),
                Ok(()) => {
                    changed.bump_version(self.writing.now);
                    if listened {
                        events.extend(stored.change_events(&changed, &self.reporter));
                    }
                    written.push(changed);
                    outcomes.set(index, Outcome::Updated(id));
                }
            }
        }
        if !self.is_dry && !written.is_empty() {
            again_if_taken(R::batch(tx).save_many(&written))?;
            tx.emit(&events);
        }
        Ok(())
    }

    /// Adds the new records.
    fn create(
        &self,
        tx: &mut dyn Tx,
        made: Vec<(usize, R)>,
        listened: bool,
        outcomes: &mut Outcomes,
    ) -> Result<(), Error> {
        let (indexes, records): (Vec<_>, Vec<_>) = made.into_iter().unzip();
        for (index, record) in indexes.iter().zip(&records) {
            outcomes.set(*index, Outcome::Created((!self.is_dry).then(|| record.uuid())));
        }
        if !self.is_dry && !records.is_empty() {
            again_if_taken(R::batch(tx).insert_many(&records))?;
            if listened {
                let events: Vec<_> = records.iter().map(|record| self.reporter.happened(record, "created")).collect();
                tx.emit(&events);
            }
        }
        Ok(())
    }
}

/// A record before and after its item.
struct Change<'a, R> {
    index: usize,
    stored: &'a R,
    changed: R,
    references: References,
    state: Result<(), Error>,
}

/// The referred records that do not exist. One statement; none without references.
fn missing(tx: &mut dyn Tx, references: &[References]) -> Result<HashSet<Reference>, Error> {
    let wanted: HashSet<_> = references.iter().flat_map(References::wanted).collect();
    if wanted.is_empty() {
        return Ok(wanted);
    }
    let wanted: Vec<_> = wanted.into_iter().collect();
    let found = tx.references_exist(&wanted)?;
    Ok(wanted.into_iter().zip(found).filter(|(_, exists)| !exists).map(|(reference, _)| reference).collect())
}

/// A value that another transaction has taken since the keys were looked up: the whole upsert runs again, and finds it.
fn again_if_taken(done: Result<(), StoreError>) -> Result<(), StoreError> {
    match done {
        Err(StoreError::Duplicate { .. }) => Err(StoreError::Contended),
        other => other,
    }
}
