//! Applies a different change to each of several issues. A change can set every field that any use case can change.

use serde_json::{Map, Value as Json};
use time::OffsetDateTime;

use super::bulk::{ItemFailure, apply_to, look_up};
use super::emails::queue_change_emails;
use super::update::{changed, lock_reached, save};
use super::{BulkPatch, Issue, IssueFields};
use crate::events::EventBuilder;
use crate::identity::access::{Permit, UpdateIssues};
use crate::kernel::input::{Input, InputMode, Problems, SchemaMember};
use crate::ports::{Ports, Tx};
use crate::records::{self, ChangeOutcome, RecordChange};
use crate::{Error, IssueId};

/// The members of [`BulkPatch`] that [`IssueFields`] lacks.
const BULK_ONLY: [&str; 4] = ["start_date", "epic_id", "add_labels", "remove_labels"];

/// A change of an issue: its fields, and what only bulk updates change.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct IssueChange {
    pub fields: IssueFields,
    pub bulk_only: BulkPatch,
}

impl Input for IssueChange {
    fn members() -> Vec<SchemaMember> {
        let bulk_only = BulkPatch::members().into_iter().filter(|member| BULK_ONLY.contains(&member.name));
        IssueFields::members().into_iter().chain(bulk_only).collect()
    }

    fn read(mut object: Map<String, Json>, at: &str, mode: InputMode, problems: &mut Problems) -> Self {
        let bulk_only: Map<_, _> = BULK_ONLY.into_iter().filter_map(|name| object.remove_entry(name)).collect();
        // Either part may be empty, but not both.
        let reads_fields = !object.is_empty() || bulk_only.is_empty();
        let fields = if reads_fields { IssueFields::read(object, at, mode, problems) } else { IssueFields::default() };
        if bulk_only.is_empty() {
            return Self { fields, bulk_only: BulkPatch::default() };
        }
        let bulk_only = BulkPatch::read(bulk_only, at, InputMode::Patch, problems);
        bulk_only.note_contradiction(at, problems);
        Self { fields, bulk_only }
    }
}

/// Changes several issues in batches. Members get one notification of all issues that a batch assigns to them.
pub async fn update_each(
    ports: &Ports,
    permit: &Permit<UpdateIssues>,
    changes: Vec<RecordChange<IssueChange>>,
) -> Result<Vec<ChangeOutcome>, Error> {
    let now = ports.clock.now();
    let reporter = EventBuilder::new(&permit.principal(), now);
    let (acting, outside) = (permit.clone(), ports.clone());
    records::change_each(ports, permit, changes, move |tx, batch| {
        // Taken before row locks, so that two moves cannot deadlock.
        let moves = |one: &IssueChange| one.fields.parent_id.set().is_some() || one.bulk_only.epic_id.set().is_some();
        if batch.iter().any(|one| moves(&one.fields)) {
            tx.issues().lock_hierarchy()?;
        }
        let outcomes = records::one_by_one(tx, batch, |tx, one| {
            let stored = lock_reached(tx, &acting, IssueId(one.id))?;
            let mut issue = change(tx, &stored, one, now)?;
            if issue != stored {
                save(tx, &stored, &mut issue, &reporter, now)?;
            }
            Ok((stored, issue))
        })?;
        let differing = outcomes.iter().flatten().filter(|(before, after)| before != after);
        let differing: Vec<_> = differing.map(|(before, after)| (before, after)).collect();
        queue_change_emails(&outside, acting.workspace(), tx, &acting.principal(), &differing)?;
        Ok(outcomes)
    })
    .await
}

/// Applies a change to a locked issue, without saving it.
fn change(
    tx: &mut dyn Tx,
    stored: &Issue,
    one: &RecordChange<IssueChange>,
    now: OffsetDateTime,
) -> Result<Issue, Error> {
    let issue = changed(tx, stored, one.fields.fields.clone(), &one.expected, now)?;
    if one.fields.bulk_only == BulkPatch::default() {
        return Ok(issue);
    }
    let context = look_up(tx, &one.fields.bulk_only)?;
    let patched = apply_to(&issue, &one.fields.bulk_only, &context, now).map_err(refused)?;
    // Saving increments the version once, even if both parts changed the issue.
    let next = |patched| Issue { version: stored.version, updated_at: stored.updated_at, ..patched };
    Ok(patched.map_or(issue, next))
}

fn refused((code, message): ItemFailure) -> Error {
    match code {
        "invalid_state_change" => Error::InvalidStateChange(message),
        code => Error::invalid("patch", code, message),
    }
}
