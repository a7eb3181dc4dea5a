//! The sessions of a user across workspaces.

use std::time::Duration;

use time::OffsetDateTime;

use super::audit::append_all;
use super::state::{MemoryTx, State};
use domain::identity::accounts::Session;
use domain::identity::audit::AuditEntry;
use domain::identity::workspaces::Workspace;
use domain::{SessionId, UserId, WorkspaceId};

pub(super) fn list(state: &State, user: UserId, now: OffsetDateTime, limit: u32) -> Vec<(Session, Workspace)> {
    let mut found = Vec::new();
    for (workspace, records) in &state.records {
        let Some(workspace) = state.shared.workspaces.get(workspace) else { continue };
        let live = records.sessions.values().filter(|session| session.user_id == user && now < session.expires_at);
        found.extend(live.map(|session| (session.clone(), workspace.clone())));
    }
    found.sort_by_key(|(session, _)| std::cmp::Reverse((session.last_used_at, session.id)));
    found.truncate(limit as usize);
    found
}

pub(super) fn end(state: &mut State, user: UserId, id: SessionId, entry: &AuditEntry, at: Duration) -> bool {
    let mut all = state.records.values_mut();
    let records = all.find(|records| records.sessions.get(&id).is_some_and(|session| session.user_id == user));
    let Some(records) = records else { return false };
    records.audit.append(entry);
    records.sessions.remove(&id);
    state.shared.changes.push((at, id.0));
    true
}

pub(super) fn end_all(state: &mut State, user: UserId, entries: &[(WorkspaceId, AuditEntry)], at: Duration) {
    append_all(state, entries);
    for records in state.records.values_mut() {
        records.sessions.retain(|_, session| session.user_id != user);
    }
    state.shared.changes.push((at, user.0));
}

impl MemoryTx<'_> {
    /// Ends a user's sessions in this workspace beyond the most recently used ones.
    pub(super) fn end_surplus(&mut self, user: UserId, most: u32) -> Vec<SessionId> {
        let mut theirs: Vec<_> = self.records.sessions.values().filter(|one| one.user_id == user).cloned().collect();
        theirs.sort_by_key(|session| std::cmp::Reverse((session.last_used_at, session.id)));
        let surplus: Vec<_> = theirs.into_iter().skip(most as usize).map(|session| session.id).collect();
        self.records.sessions.retain(|id, _| !surplus.contains(id));
        surplus
    }
}
