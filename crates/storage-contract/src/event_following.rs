//! Guarantees for followers of the event log.

use std::sync::Arc;

use domain::EventId;
use domain::events::{Event, EventFilter, EventMatcher, EventReach, EventRecord, LogPlace, Module};
use domain::identity::access::Principal;
use domain::ports::{EventScan, LogBounds, LogWindow, Scanned};
use domain::testing;
use time::Duration;
use uuid::Uuid;

use super::{StoreUnderTest, TestWorkspace};

/// Events of two records in turn, a second apart.
async fn filled(world: &TestWorkspace, count: i64) -> (Vec<Event>, [Uuid; 2]) {
    let records = [world.ports.ids.new_id(), world.ports.ids.new_id()];
    let event = |number: i64| Event {
        record: Some(EventRecord { noun: "deal", id: records[usize::from(number % 2 == 0)] }),
        version: Some(number),
        payload: format!("{{\"data\":{{}},\"changes\":{{}},\"n\":{number}}}"),
        ..testing::event(
            Module::Crm,
            if number == 3 { "deal.won" } else { "deal.updated" },
            world.now() + Duration::seconds(number),
        )
    };
    let events: Vec<_> = (1..=count).map(event).collect();
    let appended = events.clone();
    world.run(move |tx| Ok(tx.emit(&appended)?)).await.unwrap();
    let last = world.read(|tx| tx.event_log().number()).await;
    assert_eq!(last, count);
    (events, records)
}

/// A scan of all events after a position.
pub fn everything(after: i64, upto: i64) -> EventScan {
    EventScan {
        after,
        upto,
        by_record: false,
        matcher: Arc::new(EventMatcher::new(&EventFilter::default(), None)),
        reach: Arc::new(EventReach::everything()),
        limit: 100,
        bytes: 1_000_000,
    }
}

async fn scan_newest(world: &TestWorkspace, scan: EventScan) -> Scanned {
    world.read(move |tx| tx.event_log().scan_newest(&scan)).await
}

async fn scan(world: &TestWorkspace, scan: EventScan) -> Scanned {
    world.read(move |tx| tx.event_log().scan(&scan)).await
}

fn versions(found: &Scanned) -> (Vec<i64>, bool) {
    (found.events.iter().filter_map(|event| event.version).collect(), found.is_cut)
}

/// A window has the event at its position, the first position after it, and the last position.
pub async fn a_window_describes_its_part_of_the_log(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let empty = world.read(|tx| tx.event_log().window(0, 10)).await;
    assert_eq!(empty, LogWindow::default());
    let _ = filled(&world, 5).await;
    let ids: Vec<EventId> = scan(&world, everything(0, 5)).await.events.iter().map(|event| event.id).collect();
    let place = |position: i64| LogPlace { position, event: ids[usize::try_from(position).unwrap() - 1] };
    for (position, most, here, first, last) in [
        (0, 2, None, Some(1), Some(2)),
        (2, 2, Some(2), Some(3), Some(4)),
        (4, i64::MAX / 4, Some(4), Some(5), Some(5)),
        (5, 9, Some(5), None, None),
        (9, 9, None, None, None),
    ] {
        let found = world.read(move |tx| tx.event_log().window(position, most)).await;
        let expected = LogWindow { here: here.map(|at| place(at).event), first, last: last.map(place) };
        assert_eq!(found, expected, "{position} {most}");
    }
}

/// A scan returns the matching events in its part of the log, in order, and whether there are more.
pub async fn a_scan_finds_matches_in_its_part_of_the_log(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (events, [_, even]) = filled(&world, 6).await;
    assert_eq!(versions(&scan(&world, everything(0, 6)).await), (vec![1, 2, 3, 4, 5, 6], false));
    assert_eq!(versions(&scan(&world, everything(2, 4)).await), (vec![3, 4], false));
    assert_eq!(versions(&scan(&world, EventScan { limit: 2, ..everything(1, 6) }).await), (vec![2, 3], true));
    assert_eq!(versions(&scan(&world, EventScan { limit: 2, ..everything(4, 6) }).await), (vec![5, 6], false));
    let two = u32::try_from(events[0].payload.len() * 2).unwrap();
    assert_eq!(versions(&scan(&world, EventScan { bytes: two, ..everything(0, 6) }).await), (vec![1, 2], true));
    assert_eq!(versions(&scan(&world, EventScan { bytes: 1, ..everything(0, 6) }).await), (vec![1], true));
    assert_eq!(versions(&scan_newest(&world, everything(0, 6)).await), (vec![6, 5, 4, 3, 2, 1], false));
    assert_eq!(versions(&scan_newest(&world, everything(2, 4)).await), (vec![4, 3], false));
    assert_eq!(versions(&scan_newest(&world, EventScan { limit: 2, ..everything(1, 5) }).await), (vec![5, 4], true));
    assert_eq!(versions(&scan_newest(&world, EventScan { limit: 2, ..everything(4, 6) }).await), (vec![6, 5], false));
    assert_eq!(versions(&scan_newest(&world, EventScan { bytes: two, ..everything(0, 6) }).await), (vec![6, 5], true));
    assert_eq!(versions(&scan_newest(&world, EventScan { bytes: 1, ..everything(0, 6) }).await), (vec![6], true));
    let whole = EventMatcher::new(&EventFilter::default(), None);
    for (matcher, found) in [
        (EventMatcher { names: Some(vec!["deal.won".to_owned()]), ..whole.clone() }, vec![3]),
        (EventMatcher { modules: vec![Module::Projects], ..whole.clone() }, vec![]),
        (EventMatcher { since: Some(events[4].at), ..whole.clone() }, vec![5, 6]),
        (EventMatcher { record: Some(even), ..whole.clone() }, vec![2, 4, 6]),
    ] {
        let by_record = matcher.record.is_some();
        let request = EventScan { matcher: Arc::new(matcher), ..everything(0, 6) };
        assert_eq!(versions(&scan(&world, request.clone()).await).0, found, "{request:?}");
        let backwards: Vec<_> = found.iter().rev().copied().collect();
        assert_eq!(versions(&scan_newest(&world, request.clone()).await).0, backwards, "{request:?}");
        if by_record {
            let request = EventScan { by_record, ..request };
            assert_eq!(versions(&scan(&world, request.clone()).await).0, found);
            assert_eq!(versions(&scan_newest(&world, request).await).0, backwards);
        }
    }
    let few = async |most| world.read(move |tx| tx.event_log().has_at_most(even, most)).await;
    assert_eq!((few(2).await, few(3).await), (false, true));
    let bounds = async |since, record, few| world.read(move |tx| tx.event_log().bounds(since, record, few)).await;
    for (since, record, most, first, has_few) in [
        (None, None, 0, Some(1), true),
        (None, Some(even), 2, Some(1), false),
        (Some(events[0].at - Duration::DAY), Some(even), 3, Some(1), true),
        (Some(events[4].at), None, 3, Some(5), true),
        (Some(events[5].at + Duration::DAY), None, 3, None, true),
    ] {
        assert_eq!(bounds(since, record, most).await, LogBounds { first, has_few }, "{since:?} {most}");
    }
    let other = subject.world().await;
    assert_eq!(versions(&scan(&other, everything(0, 6)).await), (vec![], false));
}

/// A scan leaves out the events of one actor; events without one stay.
pub async fn a_scan_leaves_out_an_actor(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (events, _) = filled(&world, 6).await;
    let own = world.key_actor();
    let by_me = Event {
        by: Principal { actor: own, ..events[5].by.clone() },
        version: Some(7),
        at: events[5].at + Duration::SECOND,
        ..events[5].clone()
    };
    world.run(move |tx| Ok(tx.emit(std::slice::from_ref(&by_me))?)).await.unwrap();
    assert_eq!(world.read(|tx| tx.event_log().number()).await, 7);
    let whole = EventMatcher::new(&EventFilter::default(), None);
    for (excluded, found) in [(None, 7), (own.id, 6), (Some(Uuid::from_u128(7)), 7)] {
        let matcher = Arc::new(EventMatcher { excluded, ..whole.clone() });
        let request = EventScan { matcher: Arc::clone(&matcher), ..everything(0, 7) };
        let scanned = scan(&world, request.clone()).await;
        assert_eq!(scanned.events.len(), found, "{excluded:?}");
        assert!(scanned.events.iter().all(|event| matcher.matches(event)), "{excluded:?}");
        assert_eq!(scan_newest(&world, request).await.events.len(), found, "{excluded:?}");
    }
}
