//! Replays of webhooks.

use std::collections::BTreeSet;

use time::OffsetDateTime;

use super::state::{MemoryTx, Records, Shared, State};
use super::table::{Order, page};
use super::webhooks::MAX_WAITING;
use domain::kernel::paging::{PageRequest, Paginated};
use domain::ports::{ReplayRepo, StoreError};
use domain::webhooks::{
    DeliveryState, MAX_DUE_IN_REPLAY, Replay, ReplayCount, ReplaySelection, ReplayState, ReplayStep, Subscription,
};
use domain::{EventId, ReplayId, SubscriptionId, WorkspaceId};

/// A replay, and the last event that it has come past.
#[derive(Debug, Clone)]
pub(super) struct StoredReplay {
    pub(super) replay: Replay,
    pub(super) examined_to: Option<EventId>,
}

impl StoredReplay {
    const fn is_running(&self) -> bool {
        matches!(self.replay.state, ReplayState::Running)
    }

    const fn finish(&mut self, state: ReplayState, now: OffsetDateTime) {
        self.replay.state = state;
        self.replay.finished_at = Some(now);
    }
}

impl ReplayRepo for MemoryTx<'_> {
    fn count(&mut self, selection: &ReplaySelection, most: u32) -> Result<ReplayCount, StoreError> {
        let in_range = |at: OffsetDateTime| selection.since <= at && selection.until.is_none_or(|until| at < until);
        let ids: Vec<_> =
            self.records.events.iter().filter(|(_, event)| in_range(event.at)).map(|(id, _)| *id).collect();
        let failed = |id: &&EventId| !selection.only_failed || self.records.has_failed(selection.subscription, **id);
        let examined: Vec<_> = ids.iter().filter(failed).take(most as usize + 1).collect();
        let matched = examined.iter().filter(|id| self.records.events.get(id).is_some_and(|it| selection.covers(it)));
        Ok(ReplayCount { matched: matched.count() as u64, examined: examined.len() as u64, last: ids.last().copied() })
    }

    fn running_for_update(&mut self) -> Result<Vec<SubscriptionId>, StoreError> {
        // No lock needed: transactions run one at a time.
        Ok(self.records.running().into_iter().collect())
    }

    fn insert(&mut self, replay: &Replay) -> Result<(), StoreError> {
        self.records.replays.insert(replay.id, StoredReplay { replay: replay.clone(), examined_to: None });
        Ok(())
    }

    fn list(&mut self, subscription: SubscriptionId, request: &PageRequest) -> Result<Vec<Replay>, StoreError> {
        let replays = self.records.replays.values().map(|it| &it.replay);
        let chosen = replays.filter(|it| it.subscription_id == subscription);
        Ok(page(chosen, Replay::cursor_key, Order::NewestFirst, request))
    }

    fn get(&mut self, subscription: SubscriptionId, id: ReplayId) -> Result<Option<Replay>, StoreError> {
        let found = self.records.replays.get(&id).filter(|it| it.replay.subscription_id == subscription);
        Ok(found.map(|it| it.replay.clone()))
    }

    fn get_for_update(&mut self, subscription: SubscriptionId, id: ReplayId) -> Result<Option<Replay>, StoreError> {
        ReplayRepo::get(self, subscription, id)
    }

    fn cancel(&mut self, id: ReplayId, now: OffsetDateTime) -> Result<(), StoreError> {
        if let Some(found) = self.records.replays.get_mut(&id).filter(|it| it.is_running()) {
            found.finish(ReplayState::Cancelled, now);
        }
        Ok(())
    }
}

impl Records {
    /// The subscriptions with a running replay.
    fn running(&self) -> BTreeSet<SubscriptionId> {
        self.replays.values().filter(|it| it.is_running()).map(|it| it.replay.subscription_id).collect()
    }

    /// Ends what runs for a subscription that is deleted.
    pub(super) fn cancel_replay_of(&mut self, subscription: SubscriptionId, now: OffsetDateTime) {
        let of_it = |it: &&mut StoredReplay| it.is_running() && it.replay.subscription_id == subscription;
        self.replays.values_mut().filter(of_it).for_each(|it| it.finish(ReplayState::Cancelled, now));
    }

    /// Whether the latest delivery of an event to a subscription failed.
    fn has_failed(&self, subscription: SubscriptionId, event: EventId) -> bool {
        let deliveries = self.deliveries.values().map(|it| &it.delivery);
        let of_event = deliveries.filter(|it| it.subscription_id == subscription && it.event_id == Some(event));
        let latest = of_event.max_by_key(|it| (it.created_at, it.id));
        latest.is_some_and(|it| it.state == DeliveryState::Failed)
    }

    /// How many deliveries a replay of a subscription may queue now.
    fn room_for_replay(&self, subscription: &Subscription, now: OffsetDateTime) -> usize {
        if !subscription.enabled || !self.backlog.is_empty() {
            return 0;
        }
        let is_due = |at: Option<OffsetDateTime>| at.is_some_and(|at| at <= now);
        let deliveries = self.deliveries.values().filter(|it| it.waits() && is_due(it.delivery.next_attempt_at));
        let due = deliveries.filter(|it| it.delivery.subscription_id == subscription.id).count();
        let room = (MAX_WAITING / 2).saturating_sub(self.waiting());
        let room = room.min((MAX_DUE_IN_REPLAY as usize).saturating_sub(due));
        if room < MAX_DUE_IN_REPLAY as usize / 2 { 0 } else { room }
    }

    /// Queues the next deliveries of a subscription's replay; returns how many, and whether it came further.
    fn queue_replay(
        &mut self,
        shared: &mut Shared,
        workspace: WorkspaceId,
        subscription: SubscriptionId,
        now: OffsetDateTime,
    ) -> (u64, bool) {
        let Some(subscription) = self.subscriptions.get(subscription).cloned() else { return (0, false) };
        let room = self.room_for_replay(&subscription, now);
        let running = self.replays.values().find(|it| it.is_running() && it.replay.subscription_id == subscription.id);
        let Some(mut stored) = running.cloned().filter(|_| room > 0) else { return (0, false) };
        let selection = stored.replay.selection(&subscription);
        let ids =
            self.events.keys().filter(|id| Some(**id) > stored.examined_to && Some(**id) <= stored.replay.last_event);
        let covered = |id: &EventId| {
            self.events.get(id).is_some_and(|event| selection.covers(event))
                && (!selection.only_failed || self.has_failed(subscription.id, *id))
        };
        let matching: Vec<_> = ids.copied().filter(covered).take(room + 1).collect();
        let taken = &matching[..matching.len().min(room)];
        for event in taken {
            self.queue(shared, workspace, *event, &[subscription.id], Some(stored.replay.id), now);
        }
        stored.replay.queued += taken.len() as u64;
        if matching.len() > room {
            stored.examined_to = taken.last().copied();
        } else {
            stored.finish(ReplayState::Completed, now);
        }
        let queued = taken.len() as u64;
        self.replays.insert(stored.replay.id, stored);
        (queued, true)
    }
}

impl State {
    pub(super) fn queue_replays(
        &mut self,
        after: Option<(WorkspaceId, SubscriptionId)>,
        now: OffsetDateTime,
    ) -> ReplayStep {
        let mut step = ReplayStep::default();
        for (workspace, records) in &mut self.records {
            for subscription in records.running() {
                if after.is_some_and(|after| (*workspace, subscription) <= after) {
                    continue;
                }
                let (queued, advanced) = records.queue_replay(&mut self.shared, *workspace, subscription, now);
                step.deliveries += queued;
                step.has_advanced |= advanced;
            }
        }
        step
    }

    pub(super) fn prune_replays(&mut self, before: OffsetDateTime, limit: usize) -> u64 {
        let mut left = limit;
        for records in self.records.values_mut() {
            records.replays.retain(|_, it| {
                let goes = left > 0 && it.replay.created_at < before && it.replay.finished_at.is_some();
                left -= usize::from(goes);
                !goes
            });
        }
        (limit - left) as u64
    }
}
