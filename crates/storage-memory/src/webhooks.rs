//! Webhook subscriptions and deliveries of a workspace, and how events are queued.

use time::OffsetDateTime;
use uuid::Uuid;

use super::state::{MemoryTx, StoredDelivery};
use super::table::{Order, page};
use domain::kernel::paging::{PageRequest, Paginated};
use domain::ports::{DeliveryRepo, StoreError, SubscriptionRepo};
use domain::webhooks::{
    ALL_EVENTS, Attempt, Delivery, DeliveryFilter, DeliveryState, Event, Subscription, WebhookReach, body_suffix,
};
use domain::{DeliveryId, SubscriptionId};

impl SubscriptionRepo for MemoryTx<'_> {
    fn count_for_update(&mut self) -> Result<u64, StoreError> {
        // No lock needed: transactions run one at a time.
        Ok(self.records.subscriptions.live().count() as u64)
    }

    fn insert(&mut self, subscription: &Subscription) -> Result<(), StoreError> {
        self.records.subscriptions.insert(subscription.id, subscription)
    }

    fn list(&mut self, reach: &WebhookReach, request: &PageRequest) -> Result<Vec<Subscription>, StoreError> {
        let reached = self.records.subscriptions.live().filter(|it| reach.covers(it.module, &it.events));
        Ok(page(reached, Subscription::cursor_key, Order::NewestFirst, request))
    }

    fn get(&mut self, id: SubscriptionId) -> Result<Option<Subscription>, StoreError> {
        Ok(self.records.subscriptions.get(id).cloned())
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
        }
        Ok(())
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
        Self { delivery, first_attempt_at: None, lease: None, attempts: Vec::new() }
    }

    pub(super) const fn finish(&mut self, state: DeliveryState, now: OffsetDateTime) {
        self.delivery.state = state;
        self.delivery.next_attempt_at = None;
        self.delivery.finished_at = Some(now);
        self.lease = None;
    }
}

impl MemoryTx<'_> {
    /// One delivery per matching subscription, in the order of the events.
    pub(super) fn queue_events(&mut self, events: &[Event]) {
        for event in events {
            let asks = |it: &&Subscription| {
                it.enabled
                    && it.module == event.module
                    && it.events.iter().any(|name| *name == event.name || name == ALL_EVENTS)
                    && (it.scope.is_none() || it.scope == event.scope)
            };
            let ids: Vec<_> = self.records.subscriptions.live().filter(asks).map(|it| it.id).collect();
            for subscription_id in ids {
                let id = DeliveryId(self.next_delivery_id(event.at));
                let body = format!("{{\"id\":\"{id}\"{}", body_suffix(self.workspace, event));
                let delivery = Delivery {
                    id,
                    subscription_id,
                    event: event.name.clone(),
                    body,
                    state: DeliveryState::Pending,
                    attempts: 0,
                    next_attempt_at: Some(event.at),
                    redelivery_of: None,
                    created_at: event.at,
                    finished_at: None,
                };
                self.records.deliveries.insert(id, StoredDelivery::new(delivery));
            }
        }
    }

    fn next_delivery_id(&mut self, at: OffsetDateTime) -> Uuid {
        self.shared.queued += 1;
        let mut bytes = [0; 10];
        bytes[2..].copy_from_slice(&self.shared.queued.to_be_bytes());
        let millis = u64::try_from(at.unix_timestamp_nanos() / 1_000_000).unwrap_or_default();
        uuid::Builder::from_unix_timestamp_millis(millis, &bytes).into_uuid()
    }
}
