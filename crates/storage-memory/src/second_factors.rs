//! Second factors of users, and the sign-ins that wait for one.

use std::time::Duration;

use time::OffsetDateTime;

use super::audit::append_all;
use super::email::queue_email;
use super::state::{MemoryTx, State};
use domain::UserId;
use domain::identity::accounts::{ChallengeLookup, SecondFactorChange, SignInChallenge};
use domain::identity::workspaces::PasswordHash;
use domain::ports::{ChallengeRepo, StoreError};

pub(super) fn change(state: &mut State, change: SecondFactorChange, at: Duration) -> Result<bool, StoreError> {
    let stored = state.shared.second_factors.get(&change.user_id).map(|factor| factor.version);
    if stored != change.expected {
        return Ok(false);
    }
    append_all(state, &change.entries)?;
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
    Ok(true)
}

pub(super) fn forget_tries(state: &mut State, user: UserId) {
    for records in state.records.values_mut() {
        records.challenges.retain(|_, challenge| challenge.user_id != user);
    }
    if let Some(factor) = state.shared.second_factors.get_mut(&user) {
        (factor.failures, factor.paused_until, factor.version) = (0, None, factor.version + 1);
    }
}

pub(super) fn find_challenge(state: &State, lookup_id: &str) -> Option<ChallengeLookup> {
    state.records.iter().find_map(|(workspace, records)| {
        let challenge = records.challenges.get(lookup_id)?;
        Some(ChallengeLookup {
            challenge: challenge.clone(),
            workspace: state.shared.workspaces.get(workspace)?.clone(),
            user: state.shared.users.get(&challenge.user_id)?.clone(),
            role: records.active_member(challenge.user_id)?.role,
        })
    })
}

impl ChallengeRepo for MemoryTx<'_> {
    fn insert(
        &mut self,
        challenge: &SignInChallenge,
        password: Option<&PasswordHash>,
        most: u32,
    ) -> Result<bool, StoreError> {
        let user = challenge.user_id;
        let stored = self.shared.users.get(&user).and_then(|user| user.password.as_ref());
        if stored != password || self.records.active_member(user).is_none() {
            return Ok(false);
        }
        self.records.challenges.insert(challenge.lookup_id.clone(), challenge.clone());
        let mut theirs: Vec<_> = self.records.challenges.values().filter(|one| one.user_id == user).cloned().collect();
        theirs.sort_by(|one, other| {
            other.expires_at.cmp(&one.expires_at).then_with(|| one.lookup_id.cmp(&other.lookup_id))
        });
        for surplus in theirs.iter().skip(most as usize) {
            self.records.challenges.remove(&surplus.lookup_id);
        }
        Ok(true)
    }

    fn take_try(&mut self, lookup_id: &str, now: OffsetDateTime, most: u32) -> Result<bool, StoreError> {
        let challenge = self.records.challenges.get_mut(lookup_id);
        let Some(open) = challenge.filter(|one| now < one.expires_at && one.tries < most) else { return Ok(false) };
        open.tries += 1;
        Ok(true)
    }

    fn remove(&mut self, lookup_id: &str) -> Result<bool, StoreError> {
        Ok(self.records.challenges.remove(lookup_id).is_some())
    }
}
