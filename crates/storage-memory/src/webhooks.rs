//! Webhook subscriptions and deliveries of a workspace, and queueing of events. Nothing is sent.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::not_in_memory::not_in_memory;
use super::state::{MemoryTx, Records, Shared};
use super::table::{Order, page};
use domain::events::{ALL_EVENTS, Event};
use domain::identity::access::{Actor, ActorKind};
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::{PageRequest, Paginated};
use domain::ports::{DeliveryRepo, StoreError, SubscriptionRepo};
use domain::webhooks::{
    Attempt, Backlog, DEFAULT_MAX_WAITING, Delivery, DeliveryFilter, DeliverySample, DeliveryState, MakerAccess,
    Subscription, SubscriptionRecord, WebhookNotice, WebhookReach, body_of,
};
use domain::{ApiKeyId, DeliveryId, EventId, SubscriptionId, UserId, WorkspaceId};

impl SubscriptionRepo for MemoryTx<'_> {
    fn count_for_update(&mut self) -> Result<u64, StoreError> {
        // No lock needed: transactions run one at a time.
        Ok(self.records.subscriptions.live().count() as u64)
    }

    fn insert(&mut self, subscription: &Subscription) -> Result<(), StoreError> {
        self.records.subscriptions.insert(subscription.id, subscription)
    }

    fn list(
        &mut self,
        reach: &WebhookReach,
        filter: &CreatedFilter,
        request: &PageRequest,
    ) -> Result<Vec<SubscriptionRecord>, StoreError> {
        let reached = self.records.subscriptions.live().filter(|it| reach.covers(it.module, &it.events));
        let chosen = reached.filter(|it| filter.accepts(it.created_at));
        let rows = page(chosen, Subscription::cursor_key, Order::NewestFirst, request);
        Ok(rows.into_iter().map(|row| self.records.with_maker(row)).collect())
    }

    fn get(&mut self, id: SubscriptionId) -> Result<Option<SubscriptionRecord>, StoreError> {
        Ok(self.records.subscriptions.get(id).cloned().map(|row| self.records.with_maker(row)))
    }

    fn get_for_update(&mut self, id: SubscriptionId) -> Result<Option<Subscription>, StoreError> {
        Ok(self.records.subscriptions.get(id).cloned())
    }

    fn group_for_update(&mut self, id: SubscriptionId) -> Result<Vec<Subscription>, StoreError> {
        let Some(wanted) = self.records.subscriptions.get(id).cloned() else { return Ok(Vec::new()) };
        let is_of_group = |it: &&Subscription| it.id == id || it.group.is_some() && it.group == wanted.group;
        Ok(self.records.subscriptions.live().filter(is_of_group).cloned().collect())
    }

    fn save(&mut self, subscription: &Subscription) -> Result<(), StoreError> {
        self.records.subscriptions.save(subscription.id, subscription)
    }

    fn delete(&mut self, id: SubscriptionId, now: OffsetDateTime) -> Result<(), StoreError> {
        if self.records.subscriptions.delete(id, now) {
            // Nothing is ever sent, so all of them are unfinished.
            for queued in self.records.deliveries.values_mut().filter(|queued| queued.subscription_id == id) {
                (queued.state, queued.next_attempt_at) = (DeliveryState::Cancelled, None);
                queued.finished_at = Some(now);
            }
        }
        Ok(())
    }

    fn maker_ended(&mut self, makers: &[Actor], now: OffsetDateTime) -> Result<(), StoreError> {
        let made = self.records.subscriptions.each_live().filter(|it| makers.contains(&it.maker.actor));
        made.for_each(|it| it.maker.notice_at = Some(now));
        Ok(())
    }

    fn take_notices(&mut self, _: OffsetDateTime, _: OffsetDateTime) -> Result<Vec<WebhookNotice>, StoreError> {
        not_in_memory("SubscriptionRepo::take_notices")
    }
}

impl DeliveryRepo for MemoryTx<'_> {
    fn insert(&mut self, delivery: &Delivery) -> Result<(), StoreError> {
        // Handled like a concurrent deletion, which the rerun detects.
        self.records.subscriptions.get(delivery.subscription_id).ok_or(StoreError::Contended)?;
        self.records.deliveries.insert(delivery.id, delivery.clone());
        Ok(())
    }

    fn list(
        &mut self,
        subscription: SubscriptionId,
        filter: &DeliveryFilter,
        request: &PageRequest,
    ) -> Result<Vec<Delivery>, StoreError> {
        let deliveries = self.records.deliveries.values();
        let chosen = deliveries.filter(|it| it.subscription_id == subscription && matches_delivery(filter, it));
        let mut rows = page(chosen, Delivery::cursor_key, Order::NewestFirst, request);
        for row in &mut rows {
            row.body.clear();
        }
        Ok(rows)
    }

    fn get(&mut self, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        Ok(self.records.deliveries.get(&id).cloned())
    }

    fn redeliver(&mut self, _: DeliveryId, _: OffsetDateTime) -> Result<bool, StoreError> {
        not_in_memory("DeliveryRepo::redeliver")
    }

    /// Without the results of attempts, because nothing is sent.
    fn samples(
        &mut self,
        subscription: SubscriptionId,
        starts: &[OffsetDateTime],
        length: Duration,
        most: u32,
    ) -> Result<Vec<DeliverySample>, StoreError> {
        let sample = |start: &OffsetDateTime| {
            let queued = self.records.deliveries.values().filter(|it| it.subscription_id == subscription);
            let recent = queued.filter(|it| (*start..*start + length).contains(&it.created_at)).take(most as usize);
            let deliveries = u32::try_from(recent.count()).unwrap_or(most);
            DeliverySample { deliveries, ..DeliverySample::default() }
        };
        Ok(starts.iter().map(sample).collect())
    }

    fn backlog(&mut self) -> Result<Backlog, StoreError> {
        let is_enabled = |id| self.records.subscriptions.get(id).is_some_and(|it| it.enabled);
        let queued = self.records.deliveries.values();
        let waiting = queued.filter(|it| it.finished_at.is_none() && is_enabled(it.subscription_id)).count() as u64;
        Ok(Backlog { waiting, max_waiting: DEFAULT_MAX_WAITING.into(), ..Backlog::default() })
    }

    fn attempts(&mut self, _: DeliveryId) -> Result<Vec<Attempt>, StoreError> {
        not_in_memory("DeliveryRepo::attempts")
    }
}

fn matches_delivery(filter: &DeliveryFilter, delivery: &Delivery) -> bool {
    (filter.states.is_empty() || filter.states.contains(&delivery.state))
        && filter.event.as_ref().is_none_or(|event| *event == delivery.event)
        && filter.created.accepts(delivery.created_at)
}

/// Whether a subscription matches an event.
fn asks_for(subscription: &Subscription, event: &Event) -> bool {
    subscription.enabled
        && subscription.module == event.module
        && !event.is_internal
        && subscription.events.iter().any(|name| *name == event.name || name == ALL_EVENTS)
        && (subscription.scope.is_none() || [event.scope, event.former_scope].contains(&subscription.scope))
}

impl MemoryTx<'_> {
    /// Appends events in order, with one delivery per matching subscription.
    pub(super) fn append(&mut self, events: &[Event]) {
        for event in events {
            let event_id = EventId(self.shared.next_id(event.at));
            self.records.events.insert(event_id, event.clone());
            let asking = self.records.subscriptions.live().filter(|it| asks_for(it, event));
            for subscription in asking.map(|it| it.id).collect::<Vec<_>>() {
                if self.records.deliveries.len() >= DEFAULT_MAX_WAITING as usize {
                    not_in_memory("a backlog of deliveries");
                }
                let id = DeliveryId(self.shared.next_id(event.at));
                let delivery = delivery_of(event, event_id, subscription, (self.workspace, id));
                self.records.deliveries.insert(id, delivery);
            }
        }
    }
}

fn delivery_of(
    event: &Event,
    event_id: EventId,
    subscription_id: SubscriptionId,
    (workspace, id): (WorkspaceId, DeliveryId),
) -> Delivery {
    Delivery {
        id,
        subscription_id,
        event: event.name.clone(),
        event_id: Some(event_id),
        body: body_of(id, workspace, Some(event_id), event),
        state: DeliveryState::Pending,
        attempts: 0,
        attempts_before: 0,
        next_attempt_at: Some(event.at),
        redelivered_at: None,
        replay_id: None,
        failed_reason: None,
        created_at: event.at,
        finished_at: None,
    }
}

impl Records {
    /// A subscription with the state of its maker.
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
