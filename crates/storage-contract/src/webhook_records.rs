//! Subscriptions, events and attempts, and helpers for the queue.

use serde_json::json;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::TestWorkspace;
use super::records::{LINE, LINES, MADE, some};
use domain::events::{Event, Module, TEST_EVENT};
use domain::identity::access::Actor;
use domain::kernel::paging::PageRequest;
use domain::kernel::sealing::SealedSecret;
use domain::ports::DeliveryQueue;
use domain::webhooks::{
    Attempt, AttemptRecord, ClaimOutcome, ClaimRequest, ClaimedDelivery, Claims, Delivery, DeliveryFilter,
    DeliveryState, DisabledReason, FormerSecret, Maker, SealedHeaders, SigningSecrets, Subscription, Verdict, body_of,
};
use domain::{DeliveryId, SubscriptionId};

/// An attempt with all fields set.
pub(super) fn attempt(number: u32, started_at: OffsetDateTime) -> Attempt {
    Attempt {
        number,
        started_at,
        duration_ms: 12,
        status: Some(500),
        error: None,
        response: some(LINES),
        manual: false,
    }
}

/// The record of a claimed delivery's attempt.
pub(super) fn outcome(claimed: &ClaimedDelivery, owner: Uuid, verdict: Verdict, now: OffsetDateTime) -> AttemptRecord {
    AttemptRecord {
        workspace: claimed.workspace,
        delivery: claimed.delivery.id,
        subscription: claimed.subscription.id,
        owner,
        outcome: ClaimOutcome::Attempted { attempt: attempt(claimed.delivery.attempts + 1, now), verdict },
        now,
    }
}

/// A claim of all due deliveries.
pub(super) fn all_due(owner: Uuid, now: OffsetDateTime) -> ClaimRequest {
    ClaimRequest {
        owner,
        limit: 100,
        limit_per_subscription: 100,
        excluded: Vec::new(),
        after: None,
        releases_expired: true,
        now,
    }
}

/// Claims due deliveries until there are none, and records this verdict for each.
pub(super) async fn send_all(
    world: &TestWorkspace,
    queue: &dyn DeliveryQueue,
    verdict: Verdict,
) -> Vec<ClaimedDelivery> {
    let owner = Uuid::from_u128(1);
    let mut sent = Vec::new();
    loop {
        let request = ClaimRequest { limit: 2_000, limit_per_subscription: 1_000, ..all_due(owner, world.now()) };
        let claimed = queue.claim(&request).await.unwrap().deliveries;
        if claimed.is_empty() {
            return sent;
        }
        let ends = |it| outcome(it, owner, verdict, world.now());
        queue.record(&claimed.iter().map(ends).collect::<Vec<_>>()).await.unwrap();
        sent.extend(claimed);
    }
}

pub(super) fn claimed_ids(claims: &Claims) -> Vec<DeliveryId> {
    claims.deliveries.iter().map(|claimed| claimed.delivery.id).collect()
}

/// This many secrets, all valid for signing.
fn secrets(count: u8) -> SigningSecrets {
    let sealed = |number| SealedSecret { key_id: format!("k{number}"), sealed: vec![number; 90] };
    let former = (1..count)
        .map(|number| FormerSecret { secret: sealed(number), signs_until: MADE + Duration::days(number.into()) });
    SigningSecrets::stored(former.collect(), sealed(count))
}

impl TestWorkspace {
    /// A subscription to all events of a module.
    pub fn subscription(&self, module: Module) -> Subscription {
        Subscription {
            id: SubscriptionId(self.id()),
            group: None,
            module,
            url: "https://example.com/hook".to_owned(),
            description: None,
            events: vec!["*".to_owned()],
            scope: None,
            enabled: true,
            disabled_reason: None,
            secrets: SigningSecrets::new(SealedSecret { key_id: "k".to_owned(), sealed: vec![0, 1, 255] }),
            headers: None,
            failing_since: None,
            version: 1,
            created_at: self.now(),
            updated_at: self.now(),
            created_by: self.key_actor(),
            maker: Maker { actor: self.key_actor(), notice_at: None },
        }
    }

    pub(super) fn full_subscription(&self) -> Subscription {
        Subscription {
            description: some(LINE),
            events: vec!["task.created".to_owned(), "task.updated".to_owned()],
            scope: Some(self.id()),
            enabled: false,
            disabled_reason: Some(DisabledReason::Gone),
            secrets: secrets(3),
            headers: Some(SealedHeaders {
                names: vec!["Authorization".to_owned(), "X-Key".to_owned()],
                sealed: SealedSecret { key_id: "m".to_owned(), sealed: vec![9; 90] },
            }),
            maker: Maker { actor: Actor::SYSTEM, notice_at: Some(MADE + Duration::days(2)) },
            failing_since: Some(MADE),
            version: 7,
            updated_at: MADE,
            ..self.subscription(Module::Projects)
        }
    }

    pub async fn subscribe(&self, subscription: Subscription) -> SubscriptionId {
        let id = subscription.id;
        self.commit(move |tx| tx.subscriptions().insert(&subscription)).await;
        id
    }

    /// Adds this many subscriptions to all events of the CRM.
    pub(super) async fn subscribe_many(&self, count: usize) -> Vec<SubscriptionId> {
        let mut ids = Vec::new();
        for _ in 0..count {
            ids.push(self.subscribe(self.subscription(Module::Crm)).await);
        }
        ids
    }

    pub(super) async fn stored_subscription(&self, id: SubscriptionId) -> Option<Subscription> {
        self.read(move |tx| tx.subscriptions().get(id)).await.map(|record| record.subscription)
    }

    pub(super) async fn change(&self, id: SubscriptionId, change: impl Fn(&mut Subscription) + Send + 'static) {
        self.commit(move |tx| {
            let mut subscription = tx.subscriptions().get_for_update(id)?.unwrap();
            change(&mut subscription);
            tx.subscriptions().save(&subscription)
        })
        .await;
    }

    pub(super) async fn unsubscribe(&self, id: SubscriptionId) {
        let now = self.now();
        self.commit(move |tx| tx.subscriptions().delete(id, now)).await;
    }

    pub fn event(&self, module: Module, name: &str) -> Event {
        let payload = json!({ "data": { "text": LINE, "nul": "\0" } }).to_string();
        Event { payload, ..domain::testing::event(module, name, self.now()) }
    }

    pub async fn emit(&self, events: Vec<Event>) {
        self.commit(move |tx| tx.emit(&events)).await;
    }

    /// Emits an event `times` times, one microsecond apart.
    pub(super) async fn emit_many(&self, name: &str, times: i64) {
        let events = (0..times).map(|micros| {
            let event = self.event(Module::Crm, name);
            Event { at: event.at - Duration::hours(1) + Duration::microseconds(micros), ..event }
        });
        self.emit(events.collect()).await;
    }

    /// A due test delivery.
    pub(super) fn test_delivery(&self, subscription_id: SubscriptionId) -> Delivery {
        let event = self.event(Module::Crm, TEST_EVENT);
        let id = DeliveryId(self.id());
        Delivery {
            id,
            subscription_id,
            event: event.name.clone(),
            event_id: None,
            body: body_of(id, self.workspace.id, None, &event),
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

    pub async fn list_deliveries(&self, subscription: SubscriptionId, filter: DeliveryFilter) -> Vec<Delivery> {
        self.read(move |tx| tx.deliveries().list(subscription, &filter, &PageRequest::first(100))).await
    }

    pub async fn count_deliveries(&self, subscription: SubscriptionId) -> usize {
        self.list_deliveries(subscription, DeliveryFilter::default()).await.len()
    }

    pub(super) async fn stored_delivery(&self, id: DeliveryId) -> Delivery {
        self.read(move |tx| tx.deliveries().get(id)).await.unwrap()
    }

    pub(super) async fn attempts_at(&self, id: DeliveryId) -> Vec<Attempt> {
        self.read(move |tx| tx.deliveries().attempts(id)).await
    }

    pub(super) async fn claim(&self, queue: &dyn DeliveryQueue, owner: u128) -> Vec<ClaimedDelivery> {
        queue.claim(&all_due(Uuid::from_u128(owner), self.now())).await.unwrap().deliveries
    }
}
