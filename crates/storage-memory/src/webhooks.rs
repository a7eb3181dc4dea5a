//! Webhook subscriptions and deliveries of a workspace, and how events are queued.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::state::{MemoryTx, Records, Shared, StoredDelivery, Told};
use super::table::{Order, page};
use domain::events::{ALL_EVENTS, Event};
use domain::identity::access::{Actor, ActorKind};
use domain::kernel::paging::{PageRequest, Paginated};
use domain::ports::{DeliveryRepo, StoreError, SubscriptionRepo};
use domain::webhooks::{
    Attempt, Backlog, DEFAULT_MAX_WAITING, Delivery, DeliveryFilter, DeliverySample, DeliveryState, MakerAccess,
    NoticeKind, Subscription, SubscriptionRecord, WebhookNotice, WebhookReach, body_of,
};
use domain::{ApiKeyId, DeliveryId, EventId, ReplayId, SubscriptionId, UserId, WorkspaceId};

/// How many deliveries of a workspace may wait.
pub(super) const MAX_WAITING: usize = DEFAULT_MAX_WAITING as usize;

impl SubscriptionRepo for MemoryTx<'_> {
    fn count_for_update(&mut self) -> Result<u64, StoreError> {
        // No lock needed: transactions run one at a time.
        Ok(self.records.subscriptions.live().count() as u64)
    }

    fn insert(&mut self, subscription: &Subscription) -> Result<(), StoreError> {
        self.records.subscriptions.insert(subscription.id, subscription)
    }

    fn list(&mut self, reach: &WebhookReach, request: &PageRequest) -> Result<Vec<SubscriptionRecord>, StoreError> {
        let reached = self.records.subscriptions.live().filter(|it| reach.covers(it.module, &it.events));
        let rows = page(reached, Subscription::cursor_key, Order::NewestFirst, request);
        Ok(rows.into_iter().map(|row| self.records.with_maker(row)).collect())
    }

    fn get(&mut self, id: SubscriptionId) -> Result<Option<SubscriptionRecord>, StoreError> {
        Ok(self.records.subscriptions.get(id).cloned().map(|row| self.records.with_maker(row)))
    }

    fn get_for_update(&mut self, id: SubscriptionId) -> Result<Option<Subscription>, StoreError> {
        Ok(self.records.subscriptions.get(id).cloned())
    }

    fn save(&mut self, subscription: &Subscription) -> Result<(), StoreError> {
        self.records.subscriptions.save(subscription.id, subscription)
    }

    fn delete(&mut self, id: SubscriptionId, now: OffsetDateTime) -> Result<(), StoreError> {
        if self.records.subscriptions.delete(id, now) {
            let open = |queued: &&mut StoredDelivery| {
                queued.delivery.subscription_id == id && queued.delivery.finished_at.is_none()
            };
            self.records.deliveries.values_mut().filter(open).for_each(|queued| {
                queued.finish(DeliveryState::Cancelled, now);
            });
            self.records.cancel_replay_of(id, now);
        }
        Ok(())
    }

    fn maker_ended(&mut self, makers: &[Actor], now: OffsetDateTime) -> Result<(), StoreError> {
        let made = self.records.subscriptions.each_live().filter(|it| makers.contains(&it.maker.actor));
        made.for_each(|it| it.maker.notice_at = Some(now));
        Ok(())
    }

    fn take_notices(
        &mut self,
        now: OffsetDateTime,
        failing_before: OffsetDateTime,
    ) -> Result<Vec<WebhookNotice>, StoreError> {
        let Records { subscriptions, told, .. } = &mut *self.records;
        let mut notices = Vec::new();
        for it in subscriptions.each_live() {
            let due = told.due(it, now, failing_before);
            let notice = |kind| WebhookNotice { subscription: it.id, module: it.module, url: it.url.clone(), kind };
            notices.extend(due.iter().copied().map(notice));
            for kind in due {
                match kind {
                    NoticeKind::Failing { .. } => drop(told.failing.insert(it.id, now)),
                    NoticeKind::Disabled { .. } => drop(told.disabled.insert(it.id)),
                    NoticeKind::MakerEnded { .. } => it.maker.notice_at = None,
                }
            }
        }
        Ok(notices)
    }
}

impl Told {
    /// What is to be told about a subscription.
    fn due(&self, it: &Subscription, now: OffsetDateTime, failing_before: OffsetDateTime) -> Vec<NoticeKind> {
        let untold = |since: &OffsetDateTime| self.failing.get(&it.id).is_none_or(|told| told < since);
        let failing = it.failing_since.filter(|since| it.enabled && *since <= failing_before && untold(since));
        let disabled = it.disabled_reason.filter(|_| !self.disabled.contains(&it.id));
        let has_no_maker = it.maker.notice_at.is_some_and(|at| at <= now);
        let kinds = [
            failing.map(|since| NoticeKind::Failing { since }),
            disabled.map(|reason| NoticeKind::Disabled { reason }),
            has_no_maker.then_some(NoticeKind::MakerEnded { maker: it.maker.actor }),
        ];
        kinds.into_iter().flatten().collect()
    }
}

impl DeliveryRepo for MemoryTx<'_> {
    fn insert(&mut self, delivery: &Delivery) -> Result<(), StoreError> {
        // Like a concurrent deletion: the rerun finds out.
        self.records.subscriptions.get(delivery.subscription_id).ok_or(StoreError::Contended)?;
        self.records.deliveries.insert(delivery.id, StoredDelivery::new(delivery.clone()));
        Ok(())
    }

    fn list(
        &mut self,
        subscription: SubscriptionId,
        filter: &DeliveryFilter,
        request: &PageRequest,
    ) -> Result<Vec<Delivery>, StoreError> {
        let deliveries = self.records.deliveries.values().map(|queued| &queued.delivery);
        let chosen = deliveries.filter(|it| it.subscription_id == subscription && matches_delivery(filter, it));
        let mut rows = page(chosen, Delivery::cursor_key, Order::NewestFirst, request);
        for row in &mut rows {
            row.body.clear();
        }
        Ok(rows)
    }

    fn get(&mut self, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        Ok(self.records.deliveries.get(&id).map(|queued| queued.delivery.clone()))
    }

    fn redeliver(&mut self, id: DeliveryId, now: OffsetDateTime) -> Result<bool, StoreError> {
        let Some(queued) = self.records.deliveries.get_mut(&id) else { return Ok(false) };
        let is_live = self.records.subscriptions.has(queued.delivery.subscription_id);
        let may =
            matches!(queued.delivery.state, DeliveryState::Succeeded | DeliveryState::Failed | DeliveryState::Retrying);
        if is_live && may {
            queued.first_attempt_at = None;
            queued.delivery = Delivery {
                state: DeliveryState::Pending,
                next_attempt_at: Some(now),
                finished_at: None,
                failed_reason: None,
                redelivered_at: Some(now),
                attempts_before: queued.delivery.attempts,
                ..queued.delivery.clone()
            };
        }
        Ok(is_live && may)
    }

    fn samples(
        &mut self,
        subscription: SubscriptionId,
        starts: &[OffsetDateTime],
        length: Duration,
        most: u32,
    ) -> Result<Vec<DeliverySample>, StoreError> {
        let sample = |start: &OffsetDateTime| {
            let is_in = |stored: &&StoredDelivery| {
                let delivery = &stored.delivery;
                delivery.subscription_id == subscription && (*start..*start + length).contains(&delivery.created_at)
            };
            let mut recent: Vec<_> = self.records.deliveries.values().filter(is_in).collect();
            recent.sort_by_key(|stored| std::cmp::Reverse((stored.delivery.created_at, stored.delivery.id)));
            recent.truncate(most as usize);
            let mut durations: Vec<_> =
                recent.iter().filter_map(|stored| stored.attempts.last()).map(|last| last.duration_ms).collect();
            durations.sort_unstable();
            // The first that the part does not exceed.
            let part = |percent: usize| durations.get((durations.len() * percent).div_ceil(100).max(1) - 1).copied();
            let count = |state| {
                u32::try_from(recent.iter().filter(|stored| stored.delivery.state == state).count()).unwrap_or(u32::MAX)
            };
            DeliverySample {
                deliveries: u32::try_from(recent.len()).unwrap_or(u32::MAX),
                succeeded: count(DeliveryState::Succeeded),
                failed: count(DeliveryState::Failed),
                median_ms: part(50),
                slow_ms: part(95),
            }
        };
        Ok(starts.iter().map(sample).collect())
    }

    fn backlog(&mut self) -> Result<Backlog, StoreError> {
        let first = self.records.backlog.keys().next().and_then(|id| self.records.events.get(id));
        Ok(Backlog {
            waiting: self.records.waiting().min(MAX_WAITING) as u64,
            behind: self.records.backlog.len().min(MAX_WAITING) as u64,
            oldest_behind_at: first.map(|event| event.at),
            max_waiting: MAX_WAITING as u64,
        })
    }

    fn attempts(&mut self, id: DeliveryId) -> Result<Vec<Attempt>, StoreError> {
        Ok(self.records.deliveries.get(&id).map(|queued| queued.attempts.clone()).unwrap_or_default())
    }
}

fn matches_delivery(filter: &DeliveryFilter, delivery: &Delivery) -> bool {
    (filter.states.is_empty() || filter.states.contains(&delivery.state))
        && filter.event.as_ref().is_none_or(|event| *event == delivery.event)
}

impl StoredDelivery {
    pub(super) const fn new(delivery: Delivery) -> Self {
        Self { delivery, first_attempt_at: None, lease: None, attempts: Vec::new(), erased: false }
    }

    pub(super) const fn finish(&mut self, state: DeliveryState, now: OffsetDateTime) {
        self.delivery.state = state;
        self.delivery.next_attempt_at = None;
        self.delivery.finished_at = Some(now);
        self.lease = None;
    }
}

/// Whether a subscription asks for an event.
fn asks_for(subscription: &Subscription, event: &Event) -> bool {
    subscription.enabled
        && subscription.module == event.module
        && !event.is_internal
        && subscription.events.iter().any(|name| *name == event.name || name == ALL_EVENTS)
        && (subscription.scope.is_none() || [event.scope, event.former_scope].contains(&subscription.scope))
}

impl MemoryTx<'_> {
    /// Appends events, with one delivery per matching subscription, in their order, as long as there is room.
    pub(super) fn append(&mut self, events: &[Event]) {
        let is_behind = !self.records.backlog.is_empty();
        let mut room = if is_behind { 0 } else { MAX_WAITING.saturating_sub(self.records.waiting()) };
        for event in events {
            let event_id = EventId(self.shared.next_id(event.at));
            self.records.events.insert(event_id, event.clone());
            let asking = self.records.subscriptions.live().filter(|it| asks_for(it, event));
            let ids: Vec<_> = asking.map(|it| it.id).collect();
            if ids.is_empty() {
                continue;
            }
            // More than may wait at all are queued where nothing waits.
            if ids.len() > room && room < MAX_WAITING {
                room = 0;
                self.records.backlog.insert(event_id, ids);
                continue;
            }
            room = room.saturating_sub(ids.len());
            self.records.queue(self.shared, self.workspace, event_id, &ids, None, event.at);
        }
    }
}

impl Records {
    /// A subscription with what has become of its maker.
    fn with_maker(&self, subscription: Subscription) -> SubscriptionRecord {
        let Actor { kind, id } = subscription.maker.actor;
        let id = id.unwrap_or_default();
        let maker_access = match kind {
            ActorKind::ApiKey => self.api_keys.get(&ApiKeyId(id)).map_or(MakerAccess::Gone, |key| MakerAccess::Key {
                ends_at: [key.revoked_at, key.expires_at].into_iter().flatten().min(),
            }),
            ActorKind::User => {
                self.active_member(UserId(id)).map_or(MakerAccess::Gone, |member| MakerAccess::Member(member.role))
            }
            ActorKind::System | ActorKind::Customer => MakerAccess::Service,
        };
        SubscriptionRecord { subscription, maker_access }
    }

    /// Whether something is to be told about a subscription.
    pub(super) fn has_notices(&self, now: OffsetDateTime, failing_before: OffsetDateTime) -> bool {
        self.subscriptions.live().any(|it| !self.told.due(it, now, failing_before).is_empty())
    }

    /// How many deliveries wait that count against the bound.
    pub(super) fn waiting(&self) -> usize {
        let is_enabled = |id| self.subscriptions.get(id).is_some_and(|it| it.enabled);
        self.deliveries
            .values()
            .filter(|it| it.delivery.finished_at.is_none() && is_enabled(it.delivery.subscription_id))
            .count()
    }

    /// Queues an event for subscriptions, those aside that were deleted since; for a replay, if one is named.
    pub(super) fn queue(
        &mut self,
        shared: &mut Shared,
        workspace: WorkspaceId,
        event_id: EventId,
        subscriptions: &[SubscriptionId],
        replay: Option<ReplayId>,
        now: OffsetDateTime,
    ) -> usize {
        let Some(event) = self.events.get(&event_id) else { return 0 };
        let live: Vec<_> = subscriptions.iter().filter(|id| self.subscriptions.has(**id)).copied().collect();
        for subscription_id in &live {
            let id = DeliveryId(shared.next_id(now));
            let delivery = Delivery {
                id,
                subscription_id: *subscription_id,
                event: event.name.clone(),
                event_id: Some(event_id),
                body: body_of(id, workspace, event),
                state: DeliveryState::Pending,
                attempts: 0,
                attempts_before: 0,
                next_attempt_at: Some(now),
                redelivered_at: None,
                replay_id: replay,
                failed_reason: None,
                created_at: now,
                finished_at: None,
            };
            self.deliveries.insert(id, StoredDelivery::new(delivery));
        }
        live.len()
    }
}

impl Shared {
    fn next_id(&mut self, at: OffsetDateTime) -> Uuid {
        self.queued += 1;
        let mut bytes = [0; 10];
        bytes[2..].copy_from_slice(&self.queued.to_be_bytes());
        let millis = u64::try_from(at.unix_timestamp_nanos() / 1_000_000).unwrap_or_default();
        uuid::Builder::from_unix_timestamp_millis(millis, &bytes).into_uuid()
    }
}
