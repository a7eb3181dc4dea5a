//! Queueing of events, and deliveries from the workspace's view.

use std::collections::HashSet;

use time::Duration;
use uuid::{Uuid, Version};

use super::paging::{check_walks_of_ranges, newest_first};
use super::{StoreUnderTest, TestWorkspace};
use domain::events::{Event, Module, TEST_EVENT};
use domain::kernel::paging::Paginated;
use domain::webhooks::{Delivery, DeliveryFilter, DeliveryState, Subscription, body_of};

/// For each of the subscriptions, whether the event was queued for it.
async fn reached(world: &TestWorkspace, subscriptions: &[Subscription], event: Event) -> Vec<bool> {
    let mut before = Vec::new();
    for subscription in subscriptions {
        before.push(world.count_deliveries(subscription.id).await);
    }
    world.emit(vec![event]).await;
    let mut reached = Vec::new();
    for (subscription, before) in subscriptions.iter().zip(before) {
        let now = world.count_deliveries(subscription.id).await;
        assert!(now <= before + 1, "one event is queued once");
        reached.push(now > before);
    }
    reached
}

/// Events match by module, name, `*` and scope; disabled or deleted subscriptions and other workspaces get nothing.
pub async fn events_reach_matching_subscriptions(subject: &StoreUnderTest) {
    let (world, other_workspace) = (subject.world().await, subject.world().await);
    let (scope, names) = (world.id(), |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>());
    let to_module = |module| world.subscription(module);
    let subscriptions = [
        to_module(Module::Projects),
        Subscription { events: names(&["task.created", "task.deleted"]), ..to_module(Module::Projects) },
        Subscription { scope: Some(scope), ..to_module(Module::Projects) },
        Subscription { scope: Some(scope), events: names(&["task.deleted"]), ..to_module(Module::Projects) },
        to_module(Module::Support),
        Subscription { enabled: false, ..to_module(Module::Projects) },
        to_module(Module::Projects),
    ];
    for subscription in &subscriptions {
        world.subscribe(subscription.clone()).await;
    }
    world.unsubscribe(subscriptions[6].id).await;
    let event = |name, scope| Event { scope, ..world.event(Module::Projects, name) };
    for (name, scope, expected) in [
        ("task.created", None, [true, true, false, false]),
        ("task.created", Some(world.id()), [true, true, false, false]),
        ("task.created", Some(scope), [true, true, true, false]),
        ("task.updated", Some(scope), [true, false, true, false]),
        ("task.deleted", Some(scope), [true, true, true, true]),
        ("task", None, [true, false, false, false]),
    ] {
        let reached = reached(&world, &subscriptions, event(name, scope)).await;
        assert_eq!(reached, [&expected[..], &[false; 3]].concat(), "{name} {scope:?}");
    }
    // A moved record is reported to both scopes, but once per subscription.
    for (from, to, expected) in [
        (Some(scope), Some(world.id()), [true, false, true, false]),
        (Some(world.id()), Some(scope), [true, false, true, false]),
        (Some(scope), None, [true, false, true, false]),
        (Some(world.id()), None, [true, false, false, false]),
    ] {
        let moved = Event { former_scope: from, ..event("task.updated", to) };
        let reached = reached(&world, &subscriptions, moved).await;
        assert_eq!(reached, [&expected[..], &[false; 3]].concat(), "{from:?} {to:?}");
    }
    let ticket = world.event(Module::Support, "ticket.created");
    assert_eq!(reached(&world, &subscriptions, ticket).await, [false, false, false, false, true, false, false]);
    other_workspace.emit(vec![event("task.created", Some(scope))]).await;
    world.emit(Vec::new()).await;
    assert_eq!(world.count_deliveries(subscriptions[0].id).await, 10);
    let without_a_transaction = vec![event("task.created", None)];
    world.read(move |tx| tx.emit(&without_a_transaction)).await;
    assert_eq!(world.count_deliveries(subscriptions[0].id).await, 11);
}

/// The body is fixed when queued: the delivery's own id (version 7), then the event's exact bytes.
pub async fn a_delivery_is_fixed_when_it_is_queued(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (one, two) = (world.subscription(Module::Crm), world.subscription(Module::Crm));
    let (one, two) = (world.subscribe(one).await, world.subscribe(two).await);
    let event = |name, micros| {
        let event = world.event(Module::Crm, name);
        Event { at: event.at + Duration::microseconds(micros), ..event }
    };
    let events = vec![event("deal.created", 1), event("deal.updated", 2), event("deal.updated", 2)];
    world.emit(events.clone()).await;
    let (mut ids, mut event_ids) = (HashSet::new(), HashSet::new());
    for subscription in [one, two] {
        // At equal times, the later event has the higher id.
        let mut listed = world.list_deliveries(subscription, DeliveryFilter::default()).await;
        listed.reverse();
        assert_eq!(listed.len(), 3);
        for (listed, event) in listed.iter().zip(&events) {
            let id = listed.id;
            assert!(ids.insert(id));
            assert_eq!(id.0.get_version(), Some(Version::SortRand));
            let (seconds, _) = id.0.get_timestamp().unwrap().to_unix();
            assert_eq!(i128::from(seconds), event.at.unix_timestamp().into());
            assert!(listed.event_id.is_some());
            event_ids.insert(listed.event_id);
            let expected = Delivery {
                id,
                event: event.name.clone(),
                event_id: listed.event_id,
                body: body_of(id, world.workspace.id, listed.event_id, event),
                next_attempt_at: Some(event.at),
                created_at: event.at,
                ..world.test_delivery(subscription)
            };
            assert_eq!(world.stored_delivery(id).await, expected);
            assert_eq!(*listed, Delivery { body: String::new(), ..expected });
            assert!(world.attempts_at(id).await.is_empty());
        }
    }
    assert_eq!(event_ids.len(), 3, "both subscriptions name the same events of the log");
}

pub async fn a_test_delivery_round_trips(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let disabled = Subscription { enabled: false, ..world.subscription(Module::Crm) };
    let id = world.subscribe(disabled).await;
    let test = world.test_delivery(id);
    world.add(test.clone()).await;
    assert_eq!(world.stored_delivery(test.id).await, test);
}

pub async fn each_filter_works(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (mine, other) = (world.subscription(Module::Crm), world.subscription(Module::Crm));
    let (mine, other) = (world.subscribe(mine).await, world.subscribe(other).await);
    world.emit(vec![world.event(Module::Crm, "deal.won"), world.event(Module::Crm, "deal.lost")]).await;
    world.add(world.test_delivery(mine)).await;
    world.unsubscribe(mine).await;
    let names = async |id, states: &[DeliveryState], event: Option<&str>| {
        let event = event.map(str::to_owned);
        let filter = DeliveryFilter { states: states.to_vec(), event, ..DeliveryFilter::default() };
        let mut names: Vec<_> =
            world.list_deliveries(id, filter).await.into_iter().map(|delivery| delivery.event).collect();
        names.sort();
        names
    };
    let all = ["deal.lost", "deal.won", TEST_EVENT];
    assert_eq!(names(mine, &[], None).await, all);
    assert_eq!(names(mine, &[DeliveryState::Cancelled], None).await, all);
    assert_eq!(names(mine, DeliveryState::ALL, None).await, all);
    assert_eq!(names(mine, &[DeliveryState::Cancelled, DeliveryState::Failed], None).await, all);
    assert!(names(mine, &[DeliveryState::Pending, DeliveryState::Failed], None).await.is_empty());
    assert_eq!(names(mine, &[], Some("deal.won")).await, ["deal.won"]);
    assert_eq!(names(mine, DeliveryState::ALL, Some("deal.won")).await, ["deal.won"]);
    assert!(names(mine, &[DeliveryState::Pending], Some("deal.won")).await.is_empty());
    assert!(names(mine, &[], Some("deal.created")).await.is_empty());
    assert_eq!(names(other, &[DeliveryState::Pending], None).await, ["deal.lost", "deal.won"]);
    assert!(names(domain::SubscriptionId(Uuid::nil()), &[], None).await.is_empty());
}

/// Newest first, ties by id, with every filter.
pub async fn pages_run_from_the_newest_to_the_oldest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let id = world.subscribe(world.subscription(Module::Crm)).await;
    let mut cursor_keys = Vec::new();
    for created_at in world.seven_times() {
        let delivery = Delivery { created_at, ..world.test_delivery(id) };
        world.add(delivery.clone()).await;
        cursor_keys.push(delivery.cursor_key());
    }
    let cursor_keys = newest_first(cursor_keys);
    let event = Some(TEST_EVENT.to_owned());
    for filter in [
        DeliveryFilter::default(),
        DeliveryFilter { states: vec![DeliveryState::Pending], ..DeliveryFilter::default() },
        DeliveryFilter { states: DeliveryState::ALL.to_vec(), ..DeliveryFilter::default() },
        DeliveryFilter { event: event.clone(), ..DeliveryFilter::default() },
        DeliveryFilter { states: DeliveryState::ALL.to_vec(), event, ..DeliveryFilter::default() },
    ] {
        check_walks_of_ranges(&world, &cursor_keys, move |tx, created, page| {
            let filter = DeliveryFilter { created: *created, ..filter.clone() };
            tx.deliveries().list(id, &filter, page)
        })
        .await;
    }
}
