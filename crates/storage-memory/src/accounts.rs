//! Users with their memberships, and their passwords.

use std::time::Duration;

use super::audit::append_all;
use super::second_factors;
use super::state::State;
use domain::WorkspaceId;
use domain::identity::accounts::{Membership, PasswordChange, PasswordProof, UserAccount};
use domain::identity::workspaces::User;
use domain::kernel::input::EmailKey;
use domain::ports::StoreError;

pub(super) fn account_of(state: &State, user: &User) -> UserAccount {
    let membership = |(workspace, records): (&WorkspaceId, &super::state::Records)| {
        let role = records.active_member(user.id)?.role;
        Some(Membership { workspace: state.shared.workspaces.get(workspace)?.clone(), role })
    };
    let mut memberships: Vec<_> = state.records.iter().filter_map(membership).collect();
    memberships.sort_by(|one, other| one.workspace.slug.cmp(&other.workspace.slug));
    UserAccount { user: user.clone(), memberships, is_operator: state.shared.operators.contains(&user.id) }
}

pub(super) fn change_password(state: &mut State, change: PasswordChange, at: Duration) -> Result<bool, StoreError> {
    let key = change.email.as_ref().map(|email| String::from(EmailKey::of(email)));
    let mut others = state.shared.users.values().filter(|other| other.id != change.user_id);
    if key.is_some_and(|key| others.any(|other| other.email_key() == key)) {
        return Err(StoreError::Duplicate { field: "email" });
    }
    let Some(user) = state.shared.users.get_mut(&change.user_id) else {
        return Ok(false);
    };
    let (session, before) = match &change.by {
        PasswordProof::Session(id, verified) => (Some(id), Some(verified)),
        PasswordProof::First(id) => (Some(id), None),
        PasswordProof::Reset(_) => (None, None),
    };
    if let Some(id) = session {
        let mut sessions = state.records.values().filter_map(|records| records.sessions.get(id));
        let is_there = sessions.any(|session| session.user_id == change.user_id);
        if user.password.as_ref() != before || !is_there {
            return Ok(false);
        }
    }
    if let PasswordProof::Reset(lookup_id) = change.by {
        let reset = state.shared.resets.get_mut(&change.user_id);
        let Some(unused) = reset.filter(|reset| reset.lookup_id == lookup_id && reset.used_at.is_none()) else {
            return Ok(false);
        };
        unused.used_at = Some(change.now);
    } else {
        state.shared.resets.remove(&change.user_id);
    }
    user.password = Some(change.password);
    if let Some(email) = change.email {
        user.email = email;
    }
    state.shared.changes.push((at, change.user_id.0));
    for records in state.records.values_mut() {
        records.sessions.retain(|_, session| session.user_id != change.user_id);
    }
    second_factors::forget_tries(state, change.user_id);
    append_all(state, &change.entries);
    Ok(true)
}
