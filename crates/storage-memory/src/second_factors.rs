//! Second factors of users.

use std::time::Duration;

use super::audit::append_all;
use super::email::queue_email;
use super::state::State;
use domain::UserId;
use domain::identity::accounts::SecondFactorChange;

pub(super) fn change(state: &mut State, change: SecondFactorChange, at: Duration) -> bool {
    let stored = state.shared.second_factors.get(&change.user_id).map(|factor| factor.version);
    if stored != change.expected {
        return false;
    }
    append_all(state, &change.entries);
    match change.factor {
        Some(factor) => state.shared.second_factors.insert(change.user_id, factor),
        None => state.shared.second_factors.remove(&change.user_id),
    };
    if change.switches {
        state.shared.changes.push((at, change.user_id.0));
    }
    if let Some(email) = change.email {
        let State { shared, records } = state;
        queue_email(shared, records.entry(email.workspace).or_default(), &email);
    }
    true
}

pub(super) fn forget_tries(state: &mut State, user: UserId) {
    if let Some(factor) = state.shared.second_factors.get_mut(&user) {
        (factor.failures, factor.paused_until, factor.version) = (0, None, factor.version + 1);
    }
}
