//! Webhook subscriptions.

use super::paging::{check_walks_of_ranges, newest_first};
use super::{StoreUnderTest, TestWorkspace};
use domain::events::Module;
use domain::identity::access::ReadWebhooks;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::{PageRequest, Paginated};
use domain::ports::StoreError;
use domain::testing::key_in;
use domain::tools::Tool;
use domain::webhooks::{DeliveryFilter, DeliveryState, DisabledReason, Subscription, SubscriptionRecord, WebhookReach};
use domain::{Error, SubscriptionId};

async fn count(world: &TestWorkspace) -> u64 {
    world.commit(|tx| tx.subscriptions().count_for_update()).await
}

async fn list(world: &TestWorkspace) -> Vec<SubscriptionRecord> {
    let (ever, page) = (CreatedFilter::default(), PageRequest::first(10));
    world.read(move |tx| tx.subscriptions().list(&WebhookReach::everything(), &ever, &page)).await
}

pub async fn all_fields_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut all = vec![world.full_subscription()];
    all.extend(Module::ALL.iter().map(|module| world.subscription(*module)));
    all.extend(DisabledReason::ALL.iter().map(|reason| Subscription {
        id: SubscriptionId(world.id()),
        disabled_reason: Some(*reason),
        ..world.full_subscription()
    }));
    for subscription in &all {
        world.subscribe(subscription.clone()).await;
        let id = subscription.id;
        assert_eq!(world.stored_subscription(id).await.as_ref(), Some(subscription));
        assert_eq!(world.commit(move |tx| tx.subscriptions().get_for_update(id)).await.as_ref(), Some(subscription));
    }
    assert_eq!(count(&world).await, all.len() as u64);
}

/// A save writes all mutable fields, including cleared ones.
pub async fn a_save_writes_every_field(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let id = world.subscribe(world.subscription(Module::Projects)).await;
    let bare = world.stored_subscription(id).await.unwrap();
    let full = Subscription { id, created_at: bare.created_at, ..world.full_subscription() };
    for expected in [full, bare] {
        let subscription = expected.clone();
        world.commit(move |tx| tx.subscriptions().save(&subscription)).await;
        assert_eq!(world.stored_subscription(id).await, Some(expected));
    }
}

/// Deletion hides a subscription, cancels its unfinished deliveries, and keeps its history.
pub async fn deletion_cancels_what_is_queued(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (deleted, other) = (world.subscription(Module::Crm), world.subscription(Module::Crm));
    let (deleted, other) = (world.subscribe(deleted).await, world.subscribe(other).await);
    world.emit_many("deal.won", 3).await;
    world.unsubscribe(deleted).await;
    world.unsubscribe(deleted).await;
    assert_eq!(world.stored_subscription(deleted).await, None);
    assert_eq!(world.commit(move |tx| tx.subscriptions().get_for_update(deleted)).await, None);
    assert_eq!(count(&world).await, 1);
    let remaining = list(&world).await;
    assert_eq!(remaining.iter().map(|it| it.subscription.id).collect::<Vec<_>>(), [other]);
    for (id, state) in [(deleted, DeliveryState::Cancelled), (other, DeliveryState::Pending)] {
        let deliveries = world.list_deliveries(id, DeliveryFilter::default()).await;
        assert_eq!(deliveries.len(), 3);
        for delivery in deliveries {
            let is_over = state == DeliveryState::Cancelled;
            assert_eq!((delivery.state, delivery.next_attempt_at.is_none()), (state, is_over));
            assert_eq!(delivery.finished_at, is_over.then(|| world.now()));
        }
    }
    // No more events or tests are queued for it, and it cannot be saved.
    let late = world.test_delivery(deleted);
    let refused = world.run(move |tx| Ok(tx.deliveries().insert(&late)?)).await;
    assert!(matches!(refused, Err(Error::Store(StoreError::Contended))), "{refused:?}");
    world.emit_many("deal.won", 1).await;
    assert_eq!(world.count_deliveries(deleted).await, 3);
    let stale = Subscription { id: deleted, ..world.subscription(Module::Crm) };
    assert!(world.run(move |tx| Ok(tx.subscriptions().save(&stale)?)).await.is_err());
}

pub async fn pages_run_from_the_newest_to_the_oldest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let mut cursor_keys = Vec::new();
    for created_at in world.seven_times() {
        let subscription = Subscription { created_at, ..world.subscription(Module::Time) };
        cursor_keys.push(subscription.cursor_key());
        world.subscribe(subscription).await;
    }
    check_walks_of_ranges(&world, &newest_first(cursor_keys), |tx, filter, page| {
        tx.subscriptions().list(&WebhookReach::everything(), filter, page)
    })
    .await;
}

/// A list has only subscriptions that the caller may see, and its pages are full.
pub async fn lists_are_limited_to_the_reach(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (scopes, map) = (&["deals.read", "planning.read"], &["read_deals", "read_webhooks"][..]);
    let key = key_in(world.workspace.clone(), scopes, Some(map));
    let reach = WebhookReach::for_permit(&key.permit_for_tool::<ReadWebhooks>(Tool::ListWebhooks).unwrap());
    let mut reached = Vec::new();
    for (module, events, is_reached) in [
        (Module::Crm, &["deal.won", "deal.lost"][..], true),
        (Module::Crm, &["deal.won", "contact.created"], false),
        (Module::Crm, &["*"], false),
        (Module::Planning, &["*"], true),
        (Module::Planning, &["plan.made"], true),
        // An external system may use the same event names.
        (Module::Scheduling, &["deal.won"], false),
        (Module::Projects, &["task.created"], false),
    ] {
        let events = events.iter().map(|event| (*event).to_owned()).collect();
        let id = world.subscribe(Subscription { events, ..world.subscription(module) }).await;
        if is_reached {
            reached.push(id);
        }
    }
    let (ever, page) = (CreatedFilter::default(), PageRequest::first(2));
    let listed = world.read(move |tx| tx.subscriptions().list(&reach, &ever, &page)).await;
    let listed: Vec<_> = listed.iter().map(|it| it.subscription.id).collect();
    // Created at the same time, so the higher id comes first.
    reached.sort();
    reached.reverse();
    assert_eq!(listed, reached, "the page, and one more");
}

pub async fn records_are_per_workspace(subject: &StoreUnderTest) {
    let (world, other_workspace) = (subject.world().await, subject.world().await);
    let id = world.subscribe(world.subscription(Module::Crm)).await;
    let mine = world.stored_subscription(id).await;
    world.emit_many("deal.won", 1).await;
    assert_eq!(other_workspace.stored_subscription(id).await, None);
    assert_eq!(other_workspace.commit(move |tx| tx.subscriptions().get_for_update(id)).await, None);
    assert_eq!(count(&other_workspace).await, 0);
    assert!(list(&other_workspace).await.is_empty());
    assert_eq!(other_workspace.count_deliveries(id).await, 0);
    other_workspace.unsubscribe(id).await;
    let theirs = Subscription { id, ..other_workspace.subscription(Module::Crm) };
    assert!(other_workspace.run(move |tx| Ok(tx.subscriptions().save(&theirs)?)).await.is_err());
    let test = other_workspace.test_delivery(id);
    assert!(other_workspace.run(move |tx| Ok(tx.deliveries().insert(&test)?)).await.is_err());
    assert_eq!(world.stored_subscription(id).await, mine);
    let deliveries = world.list_deliveries(id, DeliveryFilter::default()).await;
    assert!(deliveries.iter().all(|delivery| delivery.state == DeliveryState::Pending));
    let delivery = deliveries[0].id;
    assert_eq!(other_workspace.read(move |tx| tx.deliveries().get(delivery)).await, None);
}

/// A subscription is locked with the live ones of its group; one without a group is locked alone.
pub async fn a_group_is_found_by_any_of_its_subscriptions(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let first = world.subscription(Module::Crm);
    let group = Some(first.id);
    let first = world.subscribe(Subscription { group, ..first }).await;
    let second = world.subscribe(Subscription { group, ..world.subscription(Module::Support) }).await;
    let deleted = world.subscribe(Subscription { group, ..world.subscription(Module::Projects) }).await;
    world.unsubscribe(deleted).await;
    let alone = world.subscribe(world.subscription(Module::Crm)).await;
    let mut both = vec![first, second];
    both.sort();
    for (id, expected) in [(first, both.clone()), (second, both), (alone, vec![alone]), (deleted, Vec::new())] {
        let found = world.commit(move |tx| tx.subscriptions().group_for_update(id)).await;
        assert_eq!(found.iter().map(|it| it.id).collect::<Vec<_>>(), expected);
    }
}
