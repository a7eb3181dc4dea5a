//! Applies a different change to each of many records: in batches, with the outcome and the former values of each record.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use crate::Error;
use crate::identity::access::Permit;
use crate::kernel::Weight;
use crate::kernel::input::json::{Json, Map};
use crate::kernel::input::{Input, SchemaMember};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, StoreError, Tx, weighed_transact};

/// The maximum number of records that one transaction changes.
const BATCH: usize = 100;

/// The change of one record among several.
#[derive(Debug, Clone)]
pub struct RecordChange<F> {
    pub id: Uuid,
    pub expected: ExpectedVersion,
    pub fields: F,
}

/// What it takes to undo the change of a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FormerValues {
    pub id: Uuid,
    /// Its version after the change.
    pub version: i64,
    /// A patch with the former values of the changed fields; empty if nothing changed.
    pub patch: Map<String, Json>,
    /// For each field of the patch, a fingerprint of the value that the change set; null if the field can be put back whatever its
    /// current value is. Empty in entries that an earlier release stored.
    #[serde(default)]
    pub made: Map<String, Json>,
}

/// Former values, split by whether the record still has the values that the change set.
#[derive(Debug, PartialEq)]
pub struct UndoSplit {
    /// The patch of the fields that still have the values that the change set.
    pub to_put_back: Map<String, Json>,
    /// The fields that were changed again.
    pub changed_since: Map<String, Json>,
}

impl FormerValues {
    /// Compares the former values with the current record. A field that has its former value again is in neither part.
    pub fn split(&self, now: &Json) -> UndoSplit {
        if now["version"].as_i64() == Some(self.version) {
            return UndoSplit { to_put_back: self.patch.clone(), changed_since: Map::new() };
        }
        let mut split = UndoSplit { to_put_back: Map::new(), changed_since: Map::new() };
        for (name, former) in &self.patch {
            match (former, self.made.get(name)) {
                // The members of an object are changed one by one.
                (Json::Object(former), Some(Json::Object(made))) => {
                    let (back, since) = split_members(former, made, &now[name]);
                    let parts = [(&mut split.to_put_back, back), (&mut split.changed_since, since)];
                    for (part, members) in parts.into_iter().filter(|(_, members)| !members.is_empty()) {
                        part.insert(name.clone(), Json::Object(members));
                    }
                }
                (former, Some(made)) if made.is_null() || *made == fingerprint(&now[name]) => {
                    split.to_put_back.insert(name.clone(), former.clone());
                }
                (former, _) if *former == now[name] => {}
                (former, _) => drop(split.changed_since.insert(name.clone(), former.clone())),
            }
        }
        for names in RESTORED_TOGETHER {
            if names.iter().any(|name| split.changed_since.contains_key(*name)) {
                split.leave(names);
            }
        }
        if has_several_targets(now, &split.to_put_back) {
            split.leave(&TARGETS);
        }
        split
    }
}

impl UndoSplit {
    /// Puts none of these fields back.
    fn leave(&mut self, names: &[&str]) {
        for name in names {
            let value = self.to_put_back.remove(*name).map(|value| ((*name).to_owned(), value));
            self.changed_since.extend(value);
        }
    }
}

/// Groups of fields that depend on each other: the fields of a group are put back together, or not at all.
const RESTORED_TOGETHER: &[&[&str]] = &[
    &["status", "stage", "lost_reason", "actual_close_date"],
    &["value", "currency"],
    &["project_id", "cycle_id", "parent_id"],
    &["started_at", "ended_at", "date", "seconds"],
];

/// The fields that name what a time entry is about: at most one has a value.
const TARGETS: [&str; 4] = ["task_id", "ticket_id", "project_id", "deal_id"];

/// Whether putting these fields back would leave a time entry about several records, because it is about another one by now. Other
/// kinds may have several of these fields.
fn has_several_targets(now: &Json, to_put_back: &Map<String, Json>) -> bool {
    let is_set = |name: &str| !to_put_back.get(name).unwrap_or(&now[name]).is_null();
    let is_time_entry = TARGETS.iter().all(|name| now.get(*name).is_some());
    is_time_entry && TARGETS.iter().filter(|name| is_set(name)).count() > 1
}

fn split_members(
    former: &Map<String, Json>,
    made: &Map<String, Json>,
    now: &Json,
) -> (Map<String, Json>, Map<String, Json>) {
    let left = former.iter().filter(|(name, former)| **former != now[name.as_str()]);
    let left = left.map(|(name, former)| (name.clone(), former.clone()));
    left.partition(|(name, _)| made.get(name) == Some(&fingerprint(&now[name.as_str()])))
}

/// A short hash of a value, which may be long.
fn fingerprint(value: &Json) -> Json {
    Json::from(URL_SAFE_NO_PAD.encode(&digest(&SHA256, value.to_string().as_bytes()).as_ref()[..9]))
}

/// The value of a field in [`FormerValues::made`].
fn fingerprint_of_new(former: &Json, new: &Json) -> Json {
    let (Json::Object(former), Json::Object(new_fields)) = (former, new) else { return fingerprint(new) };
    Json::Object(
        former.keys().map(|name| (name.clone(), fingerprint(new_fields.get(name).unwrap_or(&Json::Null)))).collect(),
    )
}

/// The outcome of the change of one record among several.
#[derive(Debug)]
pub struct ChangeOutcome {
    pub id: Uuid,
    pub result: Result<FormerValues, Error>,
}

/// The outcomes of a batch: each record before and after its change, or why it was not changed.
pub(crate) type BatchOutcomes<R> = Result<Vec<Result<(R, R), Error>>, Error>;

/// Changes records with `work`, in transactions of at most [`BATCH`] records. If a transaction fails as a whole, neither its records
/// nor later ones are changed, and they have no outcome.
///
/// # Errors
/// Store errors of the first transaction.
pub(crate) async fn change_each<P, F, R, W>(
    ports: &Ports,
    permit: &Permit<P>,
    mut changes: Vec<RecordChange<F>>,
    work: W,
) -> Result<Vec<ChangeOutcome>, Error>
where
    F: Input + Clone + Send + 'static,
    R: Serialize + Send + 'static,
    W: Fn(&mut dyn Tx, &[RecordChange<F>]) -> BatchOutcomes<R> + Send + Sync + 'static,
{
    // Rows are locked in the order of their ids, so that two such calls do not deadlock.
    changes.sort_by_key(|change| change.id);
    let (work, members) = (Arc::new(work), F::members());
    let mut outcomes = Vec::with_capacity(changes.len());
    for batch in changes.chunks(BATCH) {
        let ids: Vec<_> = batch.iter().map(|change| change.id).collect();
        let (work, batch) = (Arc::clone(&work), batch.to_vec());
        let results = weighed_transact(ports, permit, Weight::Heavy, move |tx| work(tx, &batch)).await;
        let results = match results {
            Ok(results) => results,
            // Another record has the value. In a batch of one record, that is the outcome of this record.
            Err(error @ Error::Store(StoreError::Duplicate { .. })) if ids.len() == 1 => vec![Err(error)],
            Err(error) if outcomes.is_empty() => return Err(error),
            Err(_) => break,
        };
        let outcome = |(id, result): (Uuid, Result<(R, R), Error>)| ChangeOutcome {
            id,
            result: result.map(|(before, after)| former_values(id, &members, &json!(before), &json!(after))),
        };
        outcomes.extend(ids.into_iter().zip(results).map(outcome));
    }
    Ok(outcomes)
}

/// Changes the records of a batch one by one. A broken rule is the outcome of its record; an error of the store fails the batch.
pub(crate) fn one_by_one<F, R>(
    tx: &mut dyn Tx,
    batch: &[RecordChange<F>],
    mut change: impl FnMut(&mut dyn Tx, &RecordChange<F>) -> Result<(R, R), Error>,
) -> BatchOutcomes<R> {
    let outcome = |one: &RecordChange<F>| match change(tx, one) {
        Err(Error::Store(error)) => Err(Error::Store(error)),
        outcome => Ok(outcome),
    };
    batch.iter().map(outcome).collect()
}

/// What it takes to undo a change from `before` to `after`, as far as an input with these fields can.
pub fn former_values(id: Uuid, members: &[SchemaMember], before: &Json, after: &Json) -> FormerValues {
    let (mut patch, mut made) = (Map::new(), Map::new());
    for member in members {
        let former = match member.name {
            // Labels are added and removed one by one, so they can be undone even if others were added or removed since.
            "add_labels" => missing_items(&before["labels"], &after["labels"]).map(|labels| (labels, Json::Null)),
            "remove_labels" => missing_items(&after["labels"], &before["labels"]).map(|labels| (labels, Json::Null)),
            name if before[name] == after[name] => None,
            name => {
                let former = patch_between(&after[name], &before[name]);
                let digest = fingerprint_of_new(&former, &after[name]);
                Some((former, digest))
            }
        };
        if let Some((former, digest)) = former {
            patch.insert(member.name.to_owned(), former);
            made.insert(member.name.to_owned(), digest);
        }
    }
    FormerValues { id, version: after["version"].as_i64().unwrap_or_default(), patch, made }
}

/// The items of an array that are missing in another one; `None` if none is missing.
fn missing_items(items: &Json, other: &Json) -> Option<Json> {
    let has = |item: &Json| other.as_array().is_some_and(|other| other.contains(item));
    let missing: Vec<_> = items.as_array().into_iter().flatten().filter(|item| !has(item)).cloned().collect();
    (!missing.is_empty()).then_some(Json::Array(missing))
}

/// The value that an update needs to turn `from` into `to`. Updates merge objects, in which null removes a member.
fn patch_between(from: &Json, to: &Json) -> Json {
    let (Json::Object(from), Json::Object(to)) = (from, to) else { return to.clone() };
    let changed = to.iter().filter(|(name, value)| from.get(*name) != Some(*value));
    let changed = changed.map(|(name, value)| (name.clone(), value.clone()));
    let added = from.keys().filter(|name| !to.contains_key(*name)).map(|name| (name.clone(), Json::Null));
    Json::Object(changed.chain(added).collect())
}
