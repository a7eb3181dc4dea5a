//! Changing many records, each in its own way: in batches, with the outcome and the former values of each.

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

/// As many records as one transaction changes.
const BATCH: usize = 100;

/// A change of one of several records.
#[derive(Debug, Clone)]
pub struct RecordChange<F> {
    pub id: Uuid,
    pub expected: ExpectedVersion,
    pub fields: F,
}

/// What puts a record back that was changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FormerValues {
    pub id: Uuid,
    /// Its version after the change.
    pub version: i64,
    /// A patch with the former values of what was changed; empty if nothing was.
    pub patch: Map<String, Json>,
    /// For each member of the patch, a short sign of the value that the change gave it; null for what can be put back whatever
    /// the record has now. Those kept by an earlier release have none.
    #[serde(default)]
    pub made: Map<String, Json>,
}

/// Former values, divided by what the record has now.
#[derive(Debug, PartialEq)]
pub struct Divided {
    /// The patch of those whose values are still the ones that the change made.
    pub to_put_back: Map<String, Json>,
    /// Those that were changed again.
    pub changed_since: Map<String, Json>,
}

impl FormerValues {
    /// Divides them by the record as it is now. What has its former value again is in neither part.
    pub fn divided(&self, now: &Json) -> Divided {
        if now["version"].as_i64() == Some(self.version) {
            return Divided { to_put_back: self.patch.clone(), changed_since: Map::new() };
        }
        let mut divided = Divided { to_put_back: Map::new(), changed_since: Map::new() };
        for (name, former) in &self.patch {
            match (former, self.made.get(name)) {
                // The members of an object are changed one by one.
                (Json::Object(former), Some(Json::Object(made))) => {
                    let (back, since) = divided_members(former, made, &now[name]);
                    let parts = [(&mut divided.to_put_back, back), (&mut divided.changed_since, since)];
                    for (part, members) in parts.into_iter().filter(|(_, members)| !members.is_empty()) {
                        part.insert(name.clone(), Json::Object(members));
                    }
                }
                (former, Some(made)) if made.is_null() || *made == sign_of(&now[name]) => {
                    divided.to_put_back.insert(name.clone(), former.clone());
                }
                (former, _) if *former == now[name] => {}
                (former, _) => drop(divided.changed_since.insert(name.clone(), former.clone())),
            }
        }
        for names in TOGETHER {
            if names.iter().any(|name| divided.changed_since.contains_key(*name)) {
                for name in *names {
                    let value = divided.to_put_back.remove(*name).map(|value| ((*name).to_owned(), value));
                    divided.changed_since.extend(value);
                }
            }
        }
        divided
    }
}

/// Members that depend on each other: they are put back together, or not at all.
const TOGETHER: &[&[&str]] = &[
    &["status", "stage", "lost_reason", "actual_close_date"],
    &["value", "currency"],
    &["project_id", "cycle_id", "parent_id"],
];

fn divided_members(
    former: &Map<String, Json>,
    made: &Map<String, Json>,
    now: &Json,
) -> (Map<String, Json>, Map<String, Json>) {
    let left = former.iter().filter(|(name, former)| **former != now[name.as_str()]);
    let left = left.map(|(name, former)| (name.clone(), former.clone()));
    left.partition(|(name, _)| made.get(name) == Some(&sign_of(&now[name.as_str()])))
}

/// A short sign of a value: another one has another. The value itself may be long.
fn sign_of(value: &Json) -> Json {
    Json::from(URL_SAFE_NO_PAD.encode(&digest(&SHA256, value.to_string().as_bytes()).as_ref()[..9]))
}

/// What [`FormerValues::made`] has of a member.
fn sign_of_made(former: &Json, made: &Json) -> Json {
    let (Json::Object(former), Json::Object(made)) = (former, made) else { return sign_of(made) };
    Json::Object(former.keys().map(|name| (name.clone(), sign_of(made.get(name).unwrap_or(&Json::Null)))).collect())
}

/// What came of the change of one of several records.
#[derive(Debug)]
pub struct ChangeOutcome {
    pub id: Uuid,
    pub result: Result<FormerValues, Error>,
}

/// What came of the changes of a batch: each record before and after it, or why it was not changed.
pub(crate) type BatchOutcomes<R> = Result<Vec<Result<(R, R), Error>>, Error>;

/// Changes records in transactions of a few each, by `work`. If a transaction fails as a whole, those of its records and of later
/// ones were not changed and have no outcome.
///
/// # Errors
/// Those of the store for the first transaction.
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
    // Rows are locked in one order, so that two such changes do not deadlock.
    changes.sort_by_key(|change| change.id);
    let (work, members) = (Arc::new(work), F::members());
    let mut outcomes = Vec::with_capacity(changes.len());
    for batch in changes.chunks(BATCH) {
        let ids: Vec<_> = batch.iter().map(|change| change.id).collect();
        let (work, batch) = (Arc::clone(&work), batch.to_vec());
        let done = weighed_transact(ports, permit, Weight::Heavy, move |tx| work(tx, &batch)).await;
        let done = match done {
            Ok(done) => done,
            // A value that another record has: the outcome of the only one that sets it.
            Err(error @ Error::Store(StoreError::Duplicate { .. })) if ids.len() == 1 => vec![Err(error)],
            Err(error) if outcomes.is_empty() => return Err(error),
            Err(_) => break,
        };
        let outcome = |(id, result): (Uuid, Result<(R, R), Error>)| ChangeOutcome {
            id,
            result: result.map(|(before, after)| former_values(id, &members, &json!(before), &json!(after))),
        };
        outcomes.extend(ids.into_iter().zip(done).map(outcome));
    }
    Ok(outcomes)
}

/// Changes the records of a batch one by one. A rule that one of them breaks is its outcome; an error of the store ends all.
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

/// What puts a record back that was changed from `before` to `after`, as far as an input with these members can.
pub fn former_values(id: Uuid, members: &[SchemaMember], before: &Json, after: &Json) -> FormerValues {
    let (mut patch, mut made) = (Map::new(), Map::new());
    for member in members {
        let former = match member.name {
            // Labels are added and removed one by one, also if others were added or removed since.
            "add_labels" => lacking(&before["labels"], &after["labels"]).map(|labels| (labels, Json::Null)),
            "remove_labels" => lacking(&after["labels"], &before["labels"]).map(|labels| (labels, Json::Null)),
            name if before[name] == after[name] => None,
            name => {
                let former = replacing(&after[name], &before[name]);
                let sign = sign_of_made(&former, &after[name]);
                Some((former, sign))
            }
        };
        if let Some((former, sign)) = former {
            patch.insert(member.name.to_owned(), former);
            made.insert(member.name.to_owned(), sign);
        }
    }
    FormerValues { id, version: after["version"].as_i64().unwrap_or_default(), patch, made }
}

/// The items of an array that another one lacks; `None` if it has all.
fn lacking(items: &Json, other: &Json) -> Option<Json> {
    let has = |item: &Json| other.as_array().is_some_and(|other| other.contains(item));
    let missing: Vec<_> = items.as_array().into_iter().flatten().filter(|item| !has(item)).cloned().collect();
    (!missing.is_empty()).then_some(Json::Array(missing))
}

/// The value that makes `from` what `to` is. An update merges objects: null removes a member.
fn replacing(from: &Json, to: &Json) -> Json {
    let (Json::Object(from), Json::Object(to)) = (from, to) else { return to.clone() };
    let changed = to.iter().filter(|(name, value)| from.get(*name) != Some(*value));
    let changed = changed.map(|(name, value)| (name.clone(), value.clone()));
    let added = from.keys().filter(|name| !to.contains_key(*name)).map(|name| (name.clone(), Json::Null));
    Json::Object(changed.chain(added).collect())
}
