//! The operators' work on workspaces.

use std::collections::BTreeMap;
use std::time::Duration;

use time::OffsetDateTime;

use super::audit::append_all;
use super::state::{Records, State};
use super::table::{Order, page};
use domain::identity::workspaces::{ErasureStep, OperatorFlag, User, Workspace, WorkspaceFilter};
use domain::kernel::paging::{PageRequest, Paginated};
use domain::ports::StoreError;

pub(super) fn search(state: &State, filter: &WorkspaceFilter, request: &PageRequest) -> Vec<Workspace> {
    let all = state.shared.workspaces.values().filter(|workspace| filter.matches(workspace));
    page(all, Workspace::cursor_key, Order::NewestFirst, request)
}

pub(super) fn set_operator(state: &mut State, change: &OperatorFlag, at: Duration) -> Result<(), StoreError> {
    append_all(state, &change.entries)?;
    if change.is_operator {
        state.shared.operators.insert(change.user_id);
    } else {
        state.shared.operators.remove(&change.user_id);
    }
    state.shared.changes.push((at, change.user_id.0));
    Ok(())
}

pub(super) fn operators(state: &State, limit: u32) -> Vec<User> {
    let all = state.shared.operators.iter().filter_map(|id| state.shared.users.get(id));
    let by_address: BTreeMap<_, _> = all.map(|user| (user.email_key(), user)).collect();
    by_address.into_values().take(limit as usize).cloned().collect()
}

/// All records in one step, whatever their number, and the workspace in the next.
pub(super) fn erase(state: &mut State, now: OffsetDateTime) -> ErasureStep {
    let is_due = |workspace: &&mut Workspace| workspace.erasure.is_some_and(|erasure| erasure.due_at <= now);
    let Some(workspace) = state.shared.workspaces.values_mut().find(is_due) else { return ErasureStep::default() };
    let id = workspace.id;
    if let Some(erasure) = workspace.erasure.as_mut().filter(|erasure| !erasure.has_begun) {
        erasure.has_begun = true;
        let members = state.records.remove(&id).unwrap_or_default().members;
        // The members stay until the last step.
        state.records.insert(id, Records { members, ..Records::default() });
        return ErasureStep { rows: 1, erased: None };
    }
    let left = state.records.remove(&id).unwrap_or_default();
    state.shared.workspaces.remove(&id);
    for user in left.members.keys() {
        let stays = state.shared.operators.contains(user)
            || state.records.values().any(|records| records.members.contains_key(user));
        if !stays {
            state.shared.users.remove(user);
            state.shared.resets.remove(user);
            state.shared.second_factors.remove(user);
            state.shared.sign_ins.remove(user);
        }
    }
    ErasureStep { rows: 1, erased: Some(id) }
}
