//! The audit log.

use domain::WorkspaceId;
use domain::identity::audit::{AuditEntry, AuditFilter, LeftOutCount};
use domain::kernel::paging::{PageRequest, Paginated};
use domain::ports::{AuditRepo, StoreError};
use time::OffsetDateTime;

use super::not_in_memory::not_in_memory;
use super::state::{MemoryTx, State};
use super::table::{Order, page};

/// The log of a workspace.
#[derive(Debug, Clone, Default)]
pub(super) struct AuditLog(Vec<AuditEntry>);

impl AuditLog {
    pub(super) fn append(&mut self, entry: &AuditEntry) {
        let key = |entry: &AuditEntry| (entry.hour(), entry.actor.actor, entry.action);
        let bound = entry.counted().map_or(usize::MAX, |bound| bound.per_hour as usize);
        if self.0.iter().filter(|other| key(other) == key(entry)).count() >= bound {
            not_in_memory("entries beyond the bound of their action");
        }
        self.0.push(entry.clone());
    }
}

/// Appends entries to the logs of several workspaces.
pub(super) fn append_all(state: &mut State, entries: &[(WorkspaceId, AuditEntry)]) {
    for (workspace, entry) in entries {
        state.records.entry(*workspace).or_default().audit.append(entry);
    }
}

impl AuditRepo for MemoryTx<'_> {
    fn append(&mut self, entry: &AuditEntry) -> Result<(), StoreError> {
        self.records.audit.append(entry);
        Ok(())
    }

    fn take_left_out(&mut self, _: OffsetDateTime, _: u32) -> Result<Vec<LeftOutCount>, StoreError> {
        not_in_memory("AuditRepo::take_left_out")
    }

    fn list(&mut self, filter: &AuditFilter, request: &PageRequest) -> Result<Vec<AuditEntry>, StoreError> {
        let found = self.records.audit.0.iter().filter(|entry| filter.matches(entry));
        Ok(page(found, AuditEntry::cursor_key, Order::NewestFirst, request))
    }
}
