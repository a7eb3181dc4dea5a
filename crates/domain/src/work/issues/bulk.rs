//! Applies one patch to up to 500 issues (interface 11.15–11.19), with few of them in memory at a time.

use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;

use super::bulk_fields::{MAX_LABELS, folded_labels};
use super::emails::queue_change_emails;
use super::{BulkPatch, BulkUpdate, Issue, IssueStatus, Relation};
use crate::events::EventBuilder;
use crate::identity::access::{Permit, UpdateIssues};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::{Items, Problems, fold_label, format_timestamp};
use crate::kernel::{IssueKind, batches};
use crate::ports::{Ports, Tx, Weight, weighed_transact_idempotent};
use crate::records::{Kind, find_with_permit};
use crate::work::projects::Priority;
use crate::{Error, IssueId, ProjectId, Reference, References};

/// The maximum number of unknown ids for which the failure says what they belong to. Each look-up is one statement.
const MAX_EXPLAINED: usize = 10;

/// An issue that was not changed, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BulkFailure {
    /// The issue.
    pub id: IssueId,
    /// `not_found`, `invalid_status_for_kind`, `invalid_state_change`, `cycle_of_another_project` or `loop`.
    pub code: &'static str,
    /// What is wrong and what would be right.
    pub message: String,
}

/// The result of a bulk update, in the order of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BulkUpdated {
    /// The issues that now have the requested values, including those that already had them.
    pub updated: Vec<IssueId>,
    /// The issues that were not changed.
    pub failed: Vec<BulkFailure>,
    /// How many are in `updated`.
    #[serde(rename = "updatedCount")]
    pub updated_count: usize,
    /// How many are in `failed`.
    #[serde(rename = "failedCount")]
    pub failed_count: usize,
}

/// The records that the patch refers to, read once for all items.
pub(super) struct Context {
    cycle_project: Option<ProjectId>,
    epic_kind: Option<IssueKind>,
    /// The epic and its ancestors, which must not be put below the epic.
    above_epic: HashSet<IssueId>,
}

/// Applies one patch to many issues in one transaction, with a constant number of statements for every few megabytes of issues.
///
/// # Errors
/// [`Error::Invalid`] if the assignee, cycle or epic does not exist; everything else is decided per item.
pub async fn bulk_update(
    ports: &Ports,
    permit: &Permit<UpdateIssues>,
    once: Option<IdempotentRequest<BulkUpdated>>,
    update: BulkUpdate,
) -> Result<IdempotentResult<BulkUpdated>, Error> {
    let now = ports.clock.now();
    let reporter = EventBuilder::new(&permit.principal(), now);
    let (acting, outside) = (permit.clone(), ports.clone());
    weighed_transact_idempotent(ports, permit, Weight::Heavy, once, move |tx| {
        let context = look_up(tx, &update.patch)?;
        let mut outcomes: HashMap<IssueId, Result<(), ItemFailure>> = HashMap::new();
        let changes = change_many(tx, &update.ids, &reporter, |stored| {
            let issue = Some(stored).filter(|issue| acting.reaches(issue.kind))?;
            let applied = apply_to(issue, &update.patch, &context, now);
            let (outcome, changed) = applied.map_or_else(|failure| (Err(failure), None), |changed| (Ok(()), changed));
            outcomes.insert(issue.id, outcome);
            changed
        })?;
        let changes: Vec<_> = changes.iter().map(|(before, after)| (before, after)).collect();
        queue_change_emails(&outside, acting.workspace(), tx, &acting.principal(), &changes)?;
        let mut result = BulkUpdated { updated: Vec::new(), failed: Vec::new(), updated_count: 0, failed_count: 0 };
        let mut missing = 0;
        for id in &update.ids {
            let outcome = outcomes.remove(id);
            missing += usize::from(outcome.is_none());
            let outcome = match outcome {
                Some(outcome) => outcome,
                None if missing <= MAX_EXPLAINED => Err(unknown_id(tx, &acting, *id, now)?),
                None => Err(not_found()),
            };
            match outcome {
                Ok(()) => result.updated.push(*id),
                Err((code, message)) => result.failed.push(BulkFailure { id: *id, code, message }),
            }
        }
        result.updated_count = result.updated.len();
        result.failed_count = result.failed.len();
        Ok(result)
    })
    .await
}

/// Reads the records that the patch refers to, and reports those that do not exist.
pub(super) fn look_up(tx: &mut dyn Tx, patch: &BulkPatch) -> Result<Context, Error> {
    let mut problems = Problems::default();
    let mut references = References::default();
    references.add_field("patch.assignee_id", &patch.assignee_id, Reference::Member);
    match references.check(tx) {
        Err(Error::Invalid(missing)) => {
            for problem in missing {
                problems.rule(problem.field, problem.code, problem.message);
            }
        }
        other => other?,
    }
    let mut context = Context { cycle_project: None, epic_kind: None, above_epic: HashSet::new() };
    if let Some(cycle) = patch.cycle_id.set() {
        context.cycle_project = tx.issues().project_of_cycle(*cycle)?;
        if context.cycle_project.is_none() {
            problems.rule("patch.cycle_id", "not_found", "must be the id of a cycle of the workspace");
        }
    }
    if let Some(epic) = patch.epic_id.set() {
        tx.issues().lock_hierarchy()?;
        context.epic_kind = tx.issues().kind_of(*epic)?;
        if context.epic_kind.is_none() {
            problems.rule("patch.epic_id", "not_found", "must be the id of an issue of the workspace");
        }
        context.above_epic = tx.issues().ancestors(*epic, Relation::Epic)?.into_iter().collect();
    }
    problems.into_result()?;
    Ok(context)
}

pub(super) type ItemFailure = (&'static str, String);

/// The failure of an id that is not an issue that the caller may change. It names the record with the id, if the caller may know it.
fn unknown_id(
    tx: &mut dyn Tx,
    permit: &Permit<UpdateIssues>,
    id: IssueId,
    now: OffsetDateTime,
) -> Result<ItemFailure, Error> {
    let Some(found) = find_with_permit(tx, permit, id.0, now)? else { return Ok(not_found()) };
    let noun = found.kind.with_article();
    let message = match found.deleted_at {
        Some(deleted_at) => format!("this is {noun} that was deleted at {}", format_timestamp(deleted_at)),
        None => format!("this is {noun}, which you cannot change here"),
    };
    Ok(("not_found", message))
}

fn not_found() -> ItemFailure {
    ("not_found", "there is no such issue".to_owned())
}

/// The changed issue; `None` if it already has the requested values.
pub(super) fn apply_to(
    stored: &Issue,
    patch: &BulkPatch,
    context: &Context,
    now: OffsetDateTime,
) -> Result<Option<Issue>, ItemFailure> {
    let mut issue = stored.clone();
    if let Some(status) = patch.status.clone().or_default(IssueStatus::default_of(issue.kind)) {
        if status.kind() != issue.kind {
            let message =
                format!("the status of a {} must be one of {}", issue.kind, IssueStatus::allowed_values_of(issue.kind));
            return Err(("invalid_status_for_kind", message));
        }
        issue.move_to(status, now).map_err(|error| ("invalid_state_change", error.to_string()))?;
    }
    if patch.cycle_id.set().is_some() && context.cycle_project != issue.project_id {
        return Err(("cycle_of_another_project", "the cycle does not belong to the issue's project".to_owned()));
    }
    if patch.epic_id.set().is_some() {
        if context.epic_kind != Some(issue.kind) {
            return Err(("not_found", format!("the epic is not a {}", issue.kind)));
        }
        if context.above_epic.contains(&issue.id) {
            return Err(("loop", "an issue cannot belong to itself: this epic_id would create a loop".to_owned()));
        }
    }
    issue.labels = relabelled(&issue.labels, patch)
        .ok_or_else(|| ("invalid_state_change", format!("an issue has at most {MAX_LABELS} labels")))?;
    patch.assignee_id.clone().store(&mut issue.assignee_id);
    patch.cycle_id.clone().store(&mut issue.cycle_id);
    patch.priority.clone().store_or(Priority::Medium, &mut issue.priority);
    patch.due_at.clone().store(&mut issue.due_at);
    patch.start_date.clone().store(&mut issue.start_date);
    patch.epic_id.clone().store(&mut issue.epic_id);
    if issue == *stored {
        return Ok(None);
    }
    issue.bump_version(now);
    Ok(Some(issue))
}

/// The labels after the patch; `None` if there would be too many.
fn relabelled(labels: &[String], patch: &BulkPatch) -> Option<Vec<String>> {
    let removed = folded_labels(&patch.remove_labels);
    let mut result: Vec<_> = labels.iter().filter(|label| !removed.contains(&fold_label(label))).cloned().collect();
    let mut present: HashSet<_> = result.iter().map(|label| fold_label(label)).collect();
    for label in patch.add_labels.set().map(Items::as_slice).unwrap_or_default() {
        if present.insert(fold_label(label)) {
            result.push(label.clone());
        }
    }
    (result.len() <= MAX_LABELS).then_some(result)
}

/// Changed issues, each before and after the change, without their long texts.
pub(crate) type Changes = Vec<(Issue, Issue)>;

/// Locks the live issues among `ids`, then loads and changes them and emits their events, a few megabytes at a time. `change` returns
/// the changed issue, or `None` to leave it unchanged.
pub(crate) fn change_many(
    tx: &mut dyn Tx,
    ids: &[IssueId],
    reporter: &EventBuilder,
    mut change: impl FnMut(&Issue) -> Option<Issue>,
) -> Result<Changes, Error> {
    let locked = tx.issues().lock_many(ids)?;
    let mut all = Vec::new();
    for batch in batches(locked, |(_, bytes)| *bytes) {
        let ids: Vec<_> = batch.into_iter().map(|(id, _)| id).collect();
        let stored = tx.issues().get_many_for_update(&ids)?;
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for issue in stored {
            if let Some(changed) = change(&issue) {
                before.push(issue);
                after.push(changed);
            }
        }
        if after.is_empty() {
            continue;
        }
        tx.issues().save_many(&after)?;
        let events: Vec<_> =
            before.iter().zip(&after).flat_map(|(before, after)| reporter.updated(before, after)).collect();
        tx.emit(&events)?;
        all.extend(before.into_iter().map(without_texts).zip(after.into_iter().map(without_texts)));
    }
    Ok(all)
}

fn without_texts(issue: Issue) -> Issue {
    Issue { description: None, labels: Vec::new(), ..issue }
}

#[cfg(test)]
mod tests;
