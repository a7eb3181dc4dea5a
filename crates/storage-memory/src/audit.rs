//! The audit log, and how many entries of each action an actor has made in an hour.

use std::collections::BTreeMap;

use domain::WorkspaceId;
use domain::identity::access::ActorKind;
use domain::identity::audit::{AuditAction, AuditActor, AuditEntry, AuditFilter, LeftOutCount};
use domain::kernel::paging::{PageRequest, Paginated};
use domain::ports::{AuditRepo, StoreError};
use time::OffsetDateTime;
use uuid::Uuid;

use super::state::{MemoryTx, State};
use super::table::{Order, page};

/// The log of a workspace.
#[derive(Debug, Clone, Default)]
pub(super) struct AuditLog {
    pub(super) entries: Vec<AuditEntry>,
    /// By hour, kind and id of the actor, and action.
    counts: BTreeMap<(OffsetDateTime, &'static str, Option<Uuid>, &'static str), Count>,
}

#[derive(Debug, Clone)]
struct Count {
    actor: AuditActor,
    action: AuditAction,
    entries: u32,
    left_out: u64,
}

impl AuditLog {
    pub(super) fn append(&mut self, entry: &AuditEntry) -> Result<(), StoreError> {
        if let Some(bound) = entry.counted() {
            let actor = entry.actor.actor;
            let key = (entry.hour(), ActorKind::as_str(actor.kind), actor.id, entry.action.as_str());
            let new = || Count { actor: entry.actor.clone(), action: entry.action, entries: 0, left_out: 0 };
            let count = self.counts.entry(key).or_insert_with(new);
            count.actor.name.clone_from(&entry.actor.name);
            if count.entries >= bound.per_hour {
                entry.beyond(bound)?;
                count.left_out += 1;
                return Ok(());
            }
            count.entries += 1;
        }
        self.entries.push(entry.clone());
        Ok(())
    }

    pub(super) fn has_left_out(&self, before: OffsetDateTime) -> bool {
        self.counts.iter().any(|((hour, ..), count)| *hour < before && count.left_out > 0)
    }
}

/// Appends entries to the logs of several workspaces.
pub(super) fn append_all(state: &mut State, entries: &[(WorkspaceId, AuditEntry)]) -> Result<(), StoreError> {
    entries.iter().try_for_each(|(workspace, entry)| state.records.entry(*workspace).or_default().audit.append(entry))
}

pub(super) fn prune(state: &mut State, before: OffsetDateTime, limit: u32) -> u64 {
    let mut left = limit;
    for records in state.records.values_mut() {
        records.audit.counts.retain(|(hour, ..), count| {
            let goes = *hour < before && count.left_out == 0 && left > 0;
            left -= u32::from(goes);
            !goes
        });
    }
    u64::from(limit - left)
}

impl AuditRepo for MemoryTx<'_> {
    fn append(&mut self, entry: &AuditEntry) -> Result<(), StoreError> {
        self.records.audit.append(entry)
    }

    fn take_left_out(&mut self, before: OffsetDateTime, limit: u32) -> Result<Vec<LeftOutCount>, StoreError> {
        let counts = &mut self.records.audit.counts;
        let is_due = |((hour, ..), count): &(&(OffsetDateTime, _, _, _), &Count)| *hour < before && count.left_out > 0;
        let due: Vec<_> = counts.iter().filter(is_due).take(limit as usize).map(|(key, _)| *key).collect();
        let taken = due.into_iter().filter_map(|key| Some((key.0, counts.remove(&key)?)));
        let count = |(hour, count): (OffsetDateTime, Count)| {
            let Count { actor, action, left_out, .. } = count;
            LeftOutCount { hour, actor, action, left_out }
        };
        Ok(taken.map(count).collect())
    }

    fn list(&mut self, filter: &AuditFilter, request: &PageRequest) -> Result<Vec<AuditEntry>, StoreError> {
        let found = self.records.audit.entries.iter().filter(|entry| filter.matches(entry));
        Ok(page(found, AuditEntry::cursor_key, Order::NewestFirst, request))
    }
}

/// The workspaces that have counts of past hours to tell of.
pub(super) fn with_left_out(state: &State, before: OffsetDateTime, limit: u32) -> Vec<WorkspaceId> {
    let due = state.records.iter().filter(|(_, records)| records.audit.has_left_out(before));
    due.map(|(workspace, _)| *workspace).take(limit as usize).collect()
}
