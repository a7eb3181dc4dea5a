//! Subscriptions, events, and a dispatcher's requests and records.

use domain::events::{Event, Module};
use domain::identity::access::Actor;
use domain::kernel::sealing::SealedSecret;
use domain::ports::{Ids, Store};
use domain::webhooks::{
    Attempt, AttemptRecord, ClaimOutcome, ClaimRequest, ClaimedDelivery, Maker, SigningSecrets, Subscription, Verdict,
};
use domain::{SubscriptionId, WorkspaceId};
use storage_diesel::PgStore;
use uuid::Uuid;

use super::UniqueValues;
use super::jobs::{NOW, job};

/// A subscription to all events of a module.
pub(crate) fn subscription() -> Subscription {
    Subscription {
        id: SubscriptionId(UniqueValues.new_id()),
        group: None,
        module: Module::Crm,
        url: "https://example.com".to_owned(),
        description: None,
        events: vec!["*".to_owned()],
        scope: None,
        enabled: true,
        disabled_reason: None,
        secrets: SigningSecrets::new(SealedSecret { key_id: "k".to_owned(), sealed: vec![1] }),
        headers: None,
        failing_since: None,
        version: 1,
        created_at: NOW,
        updated_at: NOW,
        created_by: Actor::SYSTEM,
        maker: Maker { actor: Actor::SYSTEM, notice_at: None },
    }
}

/// An event that matches the subscription.
pub(crate) fn event() -> Event {
    let payload = "{\"secret\":\"nobody logs this\"}".to_owned();
    Event { payload, ..domain::testing::event(Module::Crm, "company.created", NOW) }
}

pub(crate) async fn subscribe(store: &PgStore, workspace: WorkspaceId, many: usize) -> Vec<SubscriptionId> {
    let all: Vec<_> = (0..many).map(|_| subscription()).collect();
    let ids = all.iter().map(|subscription| subscription.id).collect();
    store.run(workspace, job(move |tx| all.iter().try_for_each(|it| tx.subscriptions().insert(it)))).await.unwrap();
    ids
}

pub(crate) async fn emit(store: &PgStore, workspace: WorkspaceId, times: usize) {
    let events = vec![event(); times];
    let emit = job(move |tx| tx.emit(&events));
    store.run(workspace, emit).await.unwrap();
}

/// A dispatcher's claim of a few deliveries.
pub(crate) fn request(owner: u128) -> ClaimRequest {
    let owner = Uuid::from_u128(owner);
    ClaimRequest {
        owner,
        limit: 10,
        limit_per_subscription: 4,
        excluded: Vec::new(),
        after: None,
        releases_expired: true,
        now: NOW,
    }
}

/// The record of a claimed delivery's attempt.
pub(crate) fn attempt(claimed: &ClaimedDelivery, owner: u128, verdict: Verdict) -> AttemptRecord {
    let number = claimed.delivery.attempts + 1;
    let attempt = Attempt {
        number,
        started_at: NOW,
        duration_ms: 1,
        status: Some(200),
        error: None,
        response: None,
        manual: false,
    };
    AttemptRecord {
        workspace: claimed.workspace,
        delivery: claimed.delivery.id,
        subscription: claimed.subscription.id,
        owner: Uuid::from_u128(owner),
        outcome: ClaimOutcome::Attempted { attempt, verdict },
        now: NOW,
    }
}
