//! Pruning of what is over: a bounded number of deletions.

use std::time::Duration;

use time::OffsetDateTime;

use crate::state::State;

/// Deletes expired rows and counts them, up to a limit.
pub(super) struct Pruning {
    limit: u64,
    pub(super) done: u64,
}

impl Pruning {
    pub(super) fn up_to(limit: u32) -> Self {
        Self { limit: limit.into(), done: 0 }
    }

    pub(super) fn keeps(&mut self, is_old: bool) -> bool {
        let goes = is_old && self.done < self.limit;
        self.done += u64::from(goes);
        !goes
    }
}

/// Deletes stored responses of idempotency keys.
pub(super) fn idempotency(state: &mut State, before: OffsetDateTime, limit: u32) -> u64 {
    let mut pruning = Pruning::up_to(limit);
    for records in state.records.values_mut() {
        records.kept.retain(|_, kept| pruning.keeps(kept.at < before));
    }
    pruning.done
}

/// Deletes expired sessions, links and the like, and old changes of credentials.
pub(super) fn credentials(state: &mut State, now: OffsetDateTime, oldest_change: Option<Duration>, limit: u32) -> u64 {
    let [mut sessions, mut resets, mut changes] = [limit; 3].map(Pruning::up_to);
    let [mut links, mut portal_sessions, mut challenges, mut sign_in_links] = [limit; 4].map(Pruning::up_to);
    for records in state.records.values_mut() {
        records.sessions.retain(|_, session| sessions.keeps(session.expires_at < now));
        records.links.retain(|_, link| links.keeps(link.expires_at < now));
        records.portal_sessions.retain(|_, session| portal_sessions.keeps(session.expires_at < now));
        records.challenges.retain(|_, challenge| challenges.keeps(challenge.expires_at < now));
        records.sign_in_links.retain(|_, link| sign_in_links.keeps(link.expires_at < now));
    }
    state.shared.resets.retain(|_, reset| resets.keeps(reset.expires_at < now));
    state.shared.changes.retain(|(at, _)| changes.keeps(oldest_change.is_some_and(|oldest| *at < oldest)));
    let done = [sessions, resets, changes, links, portal_sessions, challenges, sign_in_links].map(|one| one.done);
    done.iter().sum()
}

/// Deletes who was looking at records.
pub(super) fn presences(state: &mut State, before: OffsetDateTime, limit: u32) -> u64 {
    let mut pruning = Pruning::up_to(limit);
    for records in state.records.values_mut() {
        records.presences.retain(|_, (_, seen_at)| pruning.keeps(*seen_at < before));
    }
    pruning.done
}
