//! The delivery queue, across workspaces.

use std::collections::BTreeMap;

use async_trait::async_trait;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::MemoryStore;
use super::state::{Records, State, StoredDelivery};
use super::webhooks::MAX_WAITING;
use domain::events::TEST_EVENT;
use domain::ports::{DeliveryQueue, StoreError, Unrecorded};
use domain::webhooks::{
    AttemptRecord, BacklogStep, ClaimRequest, ClaimedDelivery, Claims, Delivery, DeliveryState, DisabledReason,
    FailedReason, LEASE, LONGEST_WAIT, ReplayStep, Subscription, Verdict,
};
use domain::work::issues::ERASED;
use domain::{DeliveryId, SubscriptionId, WorkspaceId};

#[async_trait]
impl DeliveryQueue for MemoryStore {
    async fn claim(&self, request: &ClaimRequest) -> Result<Claims, StoreError> {
        Ok(self.with(|state| {
            state.give_back(|_, until| request.releases_expired && until < request.now);
            state.claim(request)
        }))
    }

    async fn record(&self, records: &[AttemptRecord]) -> Result<(), Unrecorded> {
        self.with(|state| records.iter().for_each(|record| state.record(record)));
        Ok(())
    }

    async fn release(&self, owner: Uuid, _: OffsetDateTime) -> Result<(), StoreError> {
        self.with(|state| state.give_back(|holder, _| holder == owner));
        Ok(())
    }

    async fn queue_backlogs(
        &self,
        after: Option<WorkspaceId>,
        now: OffsetDateTime,
        since: OffsetDateTime,
    ) -> Result<BacklogStep, StoreError> {
        Ok(self.with(|state| state.queue_backlogs(after, now, since)))
    }

    async fn queue_replays(
        &self,
        after: Option<(WorkspaceId, SubscriptionId)>,
        now: OffsetDateTime,
    ) -> Result<ReplayStep, StoreError> {
        Ok(self.with(|state| state.queue_replays(after, now)))
    }

    async fn prune_replays(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        Ok(self.with(|state| state.prune_replays(before, limit as usize)))
    }

    async fn bring_back(&self, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        Ok(self.with(|state| {
            state.give_back(|_, until| until > now + LEASE * 10);
            let all = state.records.values_mut().flat_map(|records| records.deliveries.values_mut());
            let is_late = |queued: &&mut StoredDelivery| {
                queued.waits() && queued.delivery.next_attempt_at.is_some_and(|at| at > now + LONGEST_WAIT)
            };
            let late = all.filter(is_late).take(limit as usize);
            late.map(|queued| queued.delivery.next_attempt_at = Some(now)).count() as u64
        }))
    }

    async fn expire_deliveries(
        &self,
        before: OffsetDateTime,
        now: OffsetDateTime,
        limit: u32,
    ) -> Result<u64, StoreError> {
        Ok(self.with(|state| {
            let mut left = limit as usize;
            for records in state.records.values_mut() {
                let off: Vec<_> = records.subscriptions.live().filter(|it| !it.enabled).map(|it| it.id).collect();
                let is_old = |queued: &&mut StoredDelivery| {
                    let delivery = &queued.delivery;
                    let waits_for_nobody = off.contains(&delivery.subscription_id) && delivery.event != TEST_EVENT;
                    queued.waits() && waits_for_nobody && delivery.created_at < before
                };
                left -= records.deliveries.values_mut().filter(is_old).take(left).map(|it| it.expire(now)).count();
            }
            u64::from(limit) - left as u64
        }))
    }

    async fn next_due(&self) -> Result<Option<OffsetDateTime>, StoreError> {
        Ok(self.with(|state| state.records.values().filter_map(Records::next_due).min()))
    }

    async fn disable_failing(&self, failing_for: Duration, now: OffsetDateTime) -> Result<u64, StoreError> {
        Ok(self.with(|state| {
            let all = state.records.values_mut().flat_map(|records| records.subscriptions.each_live());
            let failing = all.filter(|it| it.enabled && it.failing_since.is_some_and(|at| at <= now - failing_for));
            let disabled: Vec<_> = failing.map(|it| disable(it, DisabledReason::Failing, now)).collect();
            for records in state.records.values_mut() {
                records.told.disabled.retain(|id| !disabled.contains(id));
            }
            disabled.len() as u64
        }))
    }

    async fn prune_deliveries(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        Ok(self.with(|state| state.prune(before, limit as usize)))
    }
}

/// Disables a subscription on behalf of the service.
fn disable(subscription: &mut Subscription, reason: DisabledReason, now: OffsetDateTime) -> SubscriptionId {
    (subscription.enabled, subscription.disabled_reason) = (false, Some(reason));
    (subscription.version, subscription.updated_at) = (subscription.version + 1, now);
    subscription.id
}

impl StoredDelivery {
    pub(super) const fn waits(&self) -> bool {
        matches!(self.delivery.state, DeliveryState::Pending | DeliveryState::Retrying)
    }

    fn give_back(&mut self) {
        self.lease = None;
        self.delivery.state =
            if self.delivery.attempts_now() == 0 { DeliveryState::Pending } else { DeliveryState::Retrying };
    }

    fn expire(&mut self, now: OffsetDateTime) {
        self.finish(DeliveryState::Failed, now);
        self.delivery.failed_reason = Some(FailedReason::Expired);
    }
}

impl Records {
    fn of_subscription(&self, id: SubscriptionId) -> impl Iterator<Item = &StoredDelivery> {
        self.deliveries.values().filter(move |queued| queued.delivery.subscription_id == id)
    }

    /// The waiting deliveries that may be sent, earliest due first; for a disabled subscription, its tests only.
    fn sendable(&self, subscription: &Subscription) -> Vec<(OffsetDateTime, DeliveryId)> {
        let may_go =
            |queued: &&StoredDelivery| queued.waits() && (subscription.enabled || queued.delivery.event == TEST_EVENT);
        let waiting = self.of_subscription(subscription.id).filter(may_go);
        let mut times: Vec<_> =
            waiting.filter_map(|queued| queued.delivery.next_attempt_at.map(|at| (at, queued.delivery.id))).collect();
        times.sort();
        times
    }

    fn next_due(&self) -> Option<OffsetDateTime> {
        let held = self
            .deliveries
            .values()
            .filter_map(|queued| queued.lease.map(|(_, until)| (queued.delivery.subscription_id, until)));
        let mut until = BTreeMap::new();
        for (id, end) in held {
            let latest = until.entry(id).or_insert(end);
            *latest = end.max(*latest);
        }
        let due = self.subscriptions.live().filter_map(|subscription| {
            let (first, _) = self.sendable(subscription).into_iter().next()?;
            Some(until.get(&subscription.id).map_or(first, |end| first.max(*end)))
        });
        due.chain(until.values().copied()).min()
    }

    /// Claims at most `limit` due deliveries of a subscription, unless another dispatcher holds some of it.
    fn take(
        &mut self,
        workspace: WorkspaceId,
        subscription: &Subscription,
        request: &ClaimRequest,
        limit: usize,
    ) -> Vec<ClaimedDelivery> {
        let holders = self.of_subscription(subscription.id).filter_map(|queued| queued.lease);
        if holders.into_iter().any(|(owner, until)| owner != request.owner && until >= request.now) {
            return Vec::new();
        }
        let due = self.sendable(subscription).into_iter().filter(|(at, _)| *at <= request.now).take(limit);
        let mut taken = Vec::new();
        for (_, id) in due {
            let Some(queued) = self.deliveries.get_mut(&id) else { continue };
            if queued.delivery.attempts_now() == 0 {
                queued.first_attempt_at = None;
            }
            let leased_until = request.now + LEASE;
            taken.push(ClaimedDelivery {
                workspace,
                delivery: queued.delivery.clone(),
                first_attempt_at: queued.first_attempt_at,
                subscription: subscription.clone(),
                leased_until,
            });
            queued.first_attempt_at = queued.first_attempt_at.or(Some(request.now));
            queued.lease = Some((request.owner, leased_until));
            queued.delivery.state = DeliveryState::Delivering;
        }
        taken
    }
}

impl State {
    fn give_back(&mut self, chosen: impl Fn(Uuid, OffsetDateTime) -> bool) {
        for queued in self.records.values_mut().flat_map(|records| records.deliveries.values_mut()) {
            if queued.lease.is_some_and(|(owner, until)| chosen(owner, until)) {
                queued.give_back();
            }
        }
    }

    fn claim(&mut self, request: &ClaimRequest) -> Claims {
        let mut claims = Claims::default();
        for (workspace, records) in &mut self.records {
            let subscriptions: Vec<_> = records.subscriptions.live().cloned().collect();
            for subscription in subscriptions {
                let place = (*workspace, subscription.id);
                if request.after.is_some_and(|after| place <= after) || request.excluded.contains(&subscription.id) {
                    continue;
                }
                let room = (request.limit as usize).saturating_sub(claims.deliveries.len());
                let limit = room.min(request.limit_per_subscription as usize);
                claims.deliveries.extend(records.take(*workspace, &subscription, request, limit));
                if claims.deliveries.len() >= request.limit as usize {
                    claims.next_after = Some(place);
                    return claims;
                }
            }
        }
        claims
    }

    fn queue_backlogs(
        &mut self,
        after: Option<WorkspaceId>,
        now: OffsetDateTime,
        since: OffsetDateTime,
    ) -> BacklogStep {
        let mut step = BacklogStep::default();
        let behind = self.records.iter_mut().filter(|(id, records)| Some(**id) > after && !records.backlog.is_empty());
        for (workspace, records) in behind {
            let mut room = MAX_WAITING.saturating_sub(records.waiting());
            while let Some((event_id, subscriptions)) = records.backlog.pop_first() {
                if subscriptions.len() > room && room < MAX_WAITING {
                    records.backlog.insert(event_id, subscriptions);
                    break;
                }
                step.events += 1;
                if records.events.get(&event_id).is_some_and(|event| event.at >= since) {
                    let queued = records.queue(&mut self.shared, *workspace, event_id, &subscriptions, None, now);
                    room = room.saturating_sub(queued);
                    step.deliveries += queued as u64;
                }
            }
        }
        step
    }

    fn record(&mut self, record: &AttemptRecord) {
        let Some(records) = self.records.get_mut(&record.workspace) else { return };
        let Some(queued) = records.deliveries.get_mut(&record.delivery) else { return };
        let Some((attempt, verdict)) = record.attempted() else {
            if queued.lease.is_some_and(|(owner, _)| owner == record.owner) {
                queued.expire(record.now);
            }
            return;
        };
        if queued.attempts.iter().any(|it| it.started_at == attempt.started_at) {
            return;
        }
        let mut attempt = attempt.clone();
        if queued.attempts.iter().any(|it| it.number == attempt.number) {
            attempt.number = queued.attempts.iter().map(|it| it.number).max().unwrap_or_default() + 1;
        }
        if queued.erased && attempt.response.is_some() {
            attempt.response = Some(ERASED.to_owned());
        }
        queued.attempts.push(attempt);
        queued.attempts.sort_by_key(|it| it.number);
        if queued.lease.is_none_or(|(owner, _)| owner != record.owner) {
            return;
        }
        queued.lease = None;
        queued.delivery.attempts += 1;
        match verdict {
            Verdict::Succeeded => queued.finish(DeliveryState::Succeeded, record.now),
            Verdict::Failed | Verdict::Gone => queued.finish(DeliveryState::Failed, record.now),
            Verdict::Retry(at) => {
                (queued.delivery.state, queued.delivery.next_attempt_at) = (DeliveryState::Retrying, Some(at));
            }
        }
        let Some(subscription) = records.subscriptions.get_mut(record.subscription) else { return };
        let is_good = verdict == Verdict::Succeeded;
        subscription.failing_since = subscription.failing_since.or(Some(record.now)).filter(|_| !is_good);
        if verdict == Verdict::Gone && subscription.enabled {
            let id = disable(subscription, DisabledReason::Gone, record.now);
            records.told.disabled.remove(&id);
        }
    }

    pub(super) fn with_webhook_notices(
        &self,
        now: OffsetDateTime,
        failing_before: OffsetDateTime,
        limit: u32,
    ) -> Vec<WorkspaceId> {
        let due = self.records.iter().filter(|(_, records)| records.has_notices(now, failing_before));
        due.map(|(id, _)| *id).take(limit as usize).collect()
    }

    fn prune(&mut self, before: OffsetDateTime, limit: usize) -> u64 {
        let mut old: Vec<(OffsetDateTime, WorkspaceId, DeliveryId)> = Vec::new();
        for (workspace, records) in &self.records {
            let over = records.deliveries.values().map(|queued| &queued.delivery);
            let over = over.filter(|delivery: &&Delivery| delivery.finished_at.is_some());
            let chosen = over.filter(|delivery| delivery.created_at < before);
            old.extend(chosen.map(|delivery| (delivery.created_at, *workspace, delivery.id)));
        }
        old.sort();
        old.truncate(limit);
        for (_, workspace, id) in &old {
            if let Some(records) = self.records.get_mut(workspace) {
                records.deliveries.remove(id);
            }
        }
        old.len() as u64
    }
}
