//! An in-memory queue that fulfils the contract of the port.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use domain::ports::{DeliveryQueue, StoreError, Unrecorded};
use domain::webhooks::{
    Attempt, AttemptRecord, BacklogStep, ClaimRequest, ClaimedDelivery, Claims, Delivery, DeliveryState, FailedReason,
    LEASE, ReplayStep, Subscription, Verdict,
};
use domain::{DeliveryId, SubscriptionId, WorkspaceId};
use time::{Duration, OffsetDateTime};
use tokio::sync::{Semaphore, watch};
use uuid::Uuid;

/// A stored delivery.
#[derive(Clone)]
pub(super) struct Row {
    pub(super) delivery: Delivery,
    pub(super) attempts: Vec<Attempt>,
    pub(super) verdicts: Vec<Verdict>,
    first_attempt_at: Option<OffsetDateTime>,
    lease: Option<(Uuid, OffsetDateTime)>,
}

/// Injected failures.
#[derive(Default)]
pub(super) struct Faults {
    pub(super) claims: Option<fn() -> StoreError>,
    pub(super) records: Option<fn() -> StoreError>,
    /// A workspace whose attempts cannot be recorded, while those of other workspaces can.
    pub(super) one: Option<(WorkspaceId, fn() -> StoreError)>,
    /// A workspace whose attempts, when written alone, wait for a permit.
    pub(super) slow: Option<(WorkspaceId, Arc<Semaphore>)>,
    /// A workspace whose deliveries cannot be claimed, while those of other workspaces can.
    pub(super) unclaimable: Option<WorkspaceId>,
    /// The error of [`DeliveryQueue::disable_failing`].
    pub(super) disabling: Option<fn() -> StoreError>,
    /// Whether claims fail that continue after an earlier one.
    pub(super) later_claims: bool,
    /// A record that is always rejected.
    pub(super) poison: Option<DeliveryId>,
}

#[derive(Default)]
struct State {
    rows: HashMap<DeliveryId, Row>,
    subscriptions: BTreeMap<(WorkspaceId, SubscriptionId), Subscription>,
    /// Due time or lease expiry.
    times: HashMap<SubscriptionId, BTreeSet<(OffsetDateTime, DeliveryId)>>,
    holders: HashMap<SubscriptionId, HashMap<DeliveryId, (Uuid, OffsetDateTime)>>,
    faults: Faults,
    calls: Vec<&'static str>,
    succeeded: usize,
}

#[derive(Default)]
pub(super) struct FakeQueue {
    state: Mutex<State>,
    changes: watch::Sender<u64>,
}

impl FakeQueue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    pub(super) fn subscribe(&self, workspace: WorkspaceId, subscription: Subscription) {
        self.state().subscriptions.insert((workspace, subscription.id), subscription);
    }

    pub(super) fn change(&self, id: SubscriptionId, change: impl FnOnce(&mut Subscription)) {
        let mut state = self.state();
        change(state.subscriptions.values_mut().find(|subscription| subscription.id == id).unwrap());
    }

    pub(super) fn enqueue(&self, delivery: Delivery) {
        let mut state = self.state();
        let due = delivery.next_attempt_at.unwrap();
        state.times.entry(delivery.subscription_id).or_default().insert((due, delivery.id));
        let row = Row { delivery, attempts: Vec::new(), verdicts: Vec::new(), first_attempt_at: None, lease: None };
        state.rows.insert(row.delivery.id, row);
    }

    /// Postpones due deliveries.
    pub(super) fn postpone(&self, id: DeliveryId, by: Duration) {
        let mut state = self.state();
        let row = state.rows.get_mut(&id).unwrap();
        let (subscription, due) = (row.delivery.subscription_id, row.delivery.next_attempt_at.unwrap());
        row.delivery.next_attempt_at = Some(due + by);
        let times = state.times.get_mut(&subscription).unwrap();
        times.remove(&(due, id));
        times.insert((due + by, id));
    }

    pub(super) fn row(&self, id: DeliveryId) -> Row {
        self.state().rows[&id].clone()
    }

    pub(super) fn count(&self, state: DeliveryState) -> usize {
        self.state().rows.values().filter(|row| row.delivery.state == state).count()
    }

    pub(super) fn leases(&self) -> usize {
        self.state().rows.values().filter(|row| row.lease.is_some()).count()
    }

    pub(super) fn calls(&self, name: &str) -> usize {
        self.state().calls.iter().filter(|call| **call == name).count()
    }

    pub(super) fn inject(&self, faults: Faults) {
        self.state().faults = faults;
        self.changed();
    }

    /// Waits until the rows satisfy a condition.
    pub(super) async fn until(&self, holds: impl Fn(&HashMap<DeliveryId, Row>) -> bool) {
        super::until(&self.changes, || holds(&self.state().rows)).await;
    }

    /// Waits until `count` are delivered.
    pub(super) async fn until_succeeded(&self, count: usize) {
        super::until(&self.changes, || self.state().succeeded == count).await;
    }

    /// Waits until all queued deliveries are delivered.
    pub(super) async fn until_all_succeeded(&self) {
        self.until(|rows| rows.values().all(|row| row.delivery.state == DeliveryState::Succeeded)).await;
    }

    /// Waits until a method was called `count` times.
    pub(super) async fn until_called(&self, name: &str, count: usize) {
        super::until(&self.changes, || self.calls(name) >= count).await;
    }

    fn enter(&self, name: &'static str) -> MutexGuard<'_, State> {
        self.changed();
        let mut state = self.state();
        state.calls.push(name);
        state
    }
}

impl State {
    fn take(
        &mut self,
        key: (WorkspaceId, SubscriptionId),
        request: &ClaimRequest,
        room: usize,
    ) -> Vec<ClaimedDelivery> {
        let (holders, times) = (self.holders.entry(key.1).or_default(), self.times.entry(key.1).or_default());
        if holders.values().any(|(owner, until)| *owner != request.owner && *until > request.now) {
            return Vec::new();
        }
        let is_due = |id| request.releases_expired || self.rows.get(id).is_some_and(|row| row.lease.is_none());
        let due = times.iter().take_while(|(at, _)| *at <= request.now).filter(|(_, id)| is_due(id));
        let due: Vec<_> = due.take(room).copied().collect();
        let leased_until = request.now + LEASE;
        let subscription = &self.subscriptions[&key];
        let mut taken = Vec::new();
        for (at, id) in due {
            let Some(row) = self.rows.get_mut(&id) else { continue };
            times.remove(&(at, id));
            times.insert((leased_until, id));
            holders.insert(id, (request.owner, leased_until));
            taken.push(ClaimedDelivery {
                workspace: key.0,
                delivery: row.delivery.clone(),
                first_attempt_at: row.first_attempt_at,
                subscription: subscription.clone(),
                leased_until,
            });
            row.lease = Some((request.owner, leased_until));
            row.delivery.state = DeliveryState::Delivering;
        }
        taken
    }

    fn remove_lease(&mut self, id: DeliveryId) {
        let Some(row) = self.rows.get_mut(&id) else { return };
        if let Some((_, until)) = row.lease.take() {
            self.times.entry(row.delivery.subscription_id).or_default().remove(&(until, id));
            self.holders.entry(row.delivery.subscription_id).or_default().remove(&id);
        }
    }

    fn write(&mut self, record: &AttemptRecord) {
        let Some(row) = self.rows.get_mut(&record.delivery) else { return };
        if let Some((attempt, _)) = record.attempted() {
            row.attempts.push(attempt.clone());
        }
        if row.lease.is_none_or(|(owner, _)| owner != record.owner) {
            return;
        }
        let verdict = if let Some((attempt, verdict)) = record.attempted() {
            row.verdicts.push(verdict);
            row.first_attempt_at.get_or_insert(attempt.started_at);
            row.delivery.attempts = attempt.number;
            verdict
        } else {
            row.delivery.failed_reason = Some(FailedReason::Expired);
            Verdict::Failed
        };
        let due = match verdict {
            Verdict::Retry(at) => Some(at),
            Verdict::Succeeded | Verdict::Failed | Verdict::Gone => None,
        };
        row.delivery.next_attempt_at = due;
        row.delivery.state = match verdict {
            Verdict::Succeeded => {
                self.succeeded += 1;
                DeliveryState::Succeeded
            }
            Verdict::Retry(_) => DeliveryState::Retrying,
            Verdict::Failed | Verdict::Gone => DeliveryState::Failed,
        };
        self.remove_lease(record.delivery);
        if let Some(due) = due {
            self.times.entry(record.subscription).or_default().insert((due, record.delivery));
        }
    }
}

#[async_trait]
impl DeliveryQueue for FakeQueue {
    async fn claim(&self, request: &ClaimRequest) -> Result<Claims, StoreError> {
        let mut state = self.enter("claim");
        if let Some(error) = state.faults.claims {
            return Err(error());
        }
        if state.faults.later_claims && request.after.is_some() {
            return Err(StoreError::Contended);
        }
        let keys: Vec<_> = state.subscriptions.keys().copied().filter(|key| Some(*key) > request.after).collect();
        let mut claims = Claims::default();
        for key in keys {
            if request.excluded.contains(&key.1) {
                continue;
            }
            if state.faults.unclaimable == Some(key.0) {
                state.calls.push("failed claim");
                claims.failed.push(key.1);
                continue;
            }
            let room = request.limit as usize - claims.deliveries.len();
            let taken = state.take(key, request, room.min(request.limit_per_subscription as usize));
            claims.deliveries.extend(taken);
            if claims.deliveries.len() >= request.limit as usize {
                claims.next_after = Some(key);
                break;
            }
        }
        Ok(claims)
    }

    async fn record(&self, records: &[AttemptRecord]) -> Result<(), Unrecorded> {
        let slow = self.state().faults.slow.clone();
        if let Some((_, gate)) = slow.filter(|(id, _)| records.iter().all(|record| record.workspace == *id)) {
            gate.acquire().await.unwrap().forget();
        }
        let mut state = self.enter("record");
        if let Some(error) = state.faults.records {
            return Err(error().into());
        }
        if records.iter().any(|record| Some(record.delivery) == state.faults.poison) {
            return Err(StoreError::Internal("this cannot be written".to_owned()).into());
        }
        let failing = state.faults.one.filter(|(id, _)| records.iter().any(|record| record.workspace == *id));
        for record in records.iter().filter(|record| failing.is_none_or(|(id, _)| id != record.workspace)) {
            state.write(record);
        }
        drop(state);
        self.changed();
        failing.map_or(Ok(()), |(id, error)| Err(Unrecorded::Workspaces(vec![(id, Some(error()))])))
    }

    async fn queue_backlogs(
        &self,
        _: Option<WorkspaceId>,
        _: OffsetDateTime,
        _: OffsetDateTime,
    ) -> Result<BacklogStep, StoreError> {
        Ok(BacklogStep::default())
    }

    async fn queue_replays(
        &self,
        _: Option<(WorkspaceId, SubscriptionId)>,
        _: OffsetDateTime,
    ) -> Result<ReplayStep, StoreError> {
        Ok(ReplayStep::default())
    }

    async fn prune_replays(&self, _: OffsetDateTime, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn expire_deliveries(&self, _: OffsetDateTime, _: OffsetDateTime, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn bring_back(&self, _: OffsetDateTime, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn release(&self, owner: Uuid, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut state = self.enter("release");
        let leased = state.rows.values().filter(|row| row.lease.is_some_and(|(holder, _)| holder == owner));
        let leased: Vec<_> = leased.map(|row| row.delivery.id).collect();
        for id in leased {
            state.remove_lease(id);
            let row = state.rows.get_mut(&id).unwrap();
            row.delivery.state = if row.attempts.is_empty() { DeliveryState::Pending } else { DeliveryState::Retrying };
            row.delivery.next_attempt_at = Some(now);
            let subscription = row.delivery.subscription_id;
            state.times.entry(subscription).or_default().insert((now, id));
        }
        Ok(())
    }

    async fn next_due(&self) -> Result<Option<OffsetDateTime>, StoreError> {
        let state = self.enter("next_due");
        Ok(state.times.values().filter_map(|times| times.first()).map(|(at, _)| *at).min())
    }

    async fn disable_failing(&self, _: Duration, _: OffsetDateTime) -> Result<u64, StoreError> {
        match self.enter("disable_failing").faults.disabling {
            Some(error) => Err(error()),
            None => Ok(0),
        }
    }

    /// Reports twice that there is more.
    async fn prune_deliveries(&self, _: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        drop(self.enter("prune_deliveries"));
        Ok(if self.calls("prune_deliveries") < 3 { limit.into() } else { 0 })
    }
}
