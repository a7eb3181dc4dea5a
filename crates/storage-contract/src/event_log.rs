//! The event log: positions, and histories of records.

use std::net::IpAddr;

use time::Duration;
use uuid::Uuid;

use super::paging::{CursorKey, check_walks};
use super::{StoreUnderTest, TestWorkspace};
use domain::crm::deals::Deal;
use domain::events::{Event, EventActor, EventRecord, HistoryQuery, LoggedEvent, Module};
use domain::identity::access::{Actor, ActorKind, Principal, ReadDeals};
use domain::kernel::paging::{MAX_CURSOR_PAGE_BYTES, PageRequest};
use domain::records::{HistoryEvent, read_history};
use domain::tools::Tool;

/// An event of a deal's version, made this many seconds from now.
fn version(world: &TestWorkspace, id: Uuid, version: i64, seconds: i64) -> Event {
    Event {
        record: Some(EventRecord { noun: "deal", id }),
        version: Some(version),
        at: world.now() + Duration::seconds(seconds),
        ..world.event(Module::Crm, "deal.updated")
    }
}

async fn number(world: &TestWorkspace) -> i64 {
    world.read(|tx| tx.event_log().number()).await
}

async fn after(world: &TestWorkspace, position: i64, most: u32) -> Vec<LoggedEvent> {
    world.read(move |tx| tx.event_log().after(position, most)).await
}

fn positions(events: &[LoggedEvent]) -> Vec<i64> {
    events.iter().map(|event| event.position).collect()
}

fn versions(events: &[LoggedEvent]) -> Vec<i64> {
    events.iter().filter_map(|event| event.version).collect()
}

/// Readers get exactly what was appended.
pub async fn all_fields_round_trip(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let id = world.id();
    let by = Principal {
        actor: world.key_actor(),
        name: "Key \"of\" Zoë".into(),
        address: Some(IpAddr::from([203, 0, 113, 9])),
        is_trial: false,
        request_id: Some("req-1".into()),
        tool: Some(Tool::UpdateDeal),
    };
    let full = Event { by: by.clone(), is_internal: true, ..version(&world, id, 7, 1) };
    let trial = Event { by: Principal { is_trial: true, ..by.clone() }, ..version(&world, id, 8, 2) };
    let customer = Principal { actor: Actor::CUSTOMER, name: "customer".into(), request_id: None, tool: None, ..by };
    let bare = Event { by: customer, record: None, version: None, ..version(&world, id, 9, 3) };
    world.emit(vec![full.clone(), trial, bare.clone()]).await;
    number(&world).await;
    let found = after(&world, 0, 10).await;
    assert_eq!(
        found[0],
        LoggedEvent {
            position: 1,
            id: found[0].id,
            module: Module::Crm,
            name: "deal.updated".to_owned(),
            record: Some(("deal".to_owned(), id)),
            version: Some(7),
            is_internal: true,
            actor: EventActor {
                kind: ActorKind::ApiKey.as_str().to_owned(),
                id: world.key_actor().id,
                name: "Key \"of\" Zoë".to_owned(),
            },
            request_id: Some("req-1".to_owned()),
            tool: Some("update_deal".to_owned()),
            payload: full.payload,
            created_at: full.at,
        }
    );
    assert_eq!((found[1].actor.kind.as_str(), found[1].actor.id), ("trial", world.key_actor().id));
    let expected = EventActor { kind: "customer".to_owned(), id: None, name: "customer".to_owned() };
    assert_eq!((&found[2].actor, &found[2].record, found[2].version), (&expected, &None, None));
    assert_eq!((&found[2].request_id, &found[2].tool, found[2].is_internal), (&None, &None, false));
}

/// Positions start from 1, without gaps, in the order of the ids of waiting events, and never change.
pub async fn positions_have_no_gaps(subject: &StoreUnderTest) {
    let world = subject.world().await;
    assert_eq!((number(&world).await, after(&world, 0, 10).await), (0, Vec::new()));
    let id = world.id();
    world.emit((1..=3).map(|step| version(&world, id, step, step)).collect()).await;
    assert!(after(&world, 0, 10).await.is_empty(), "events without a position are not read");
    assert_eq!((number(&world).await, number(&world).await), (3, 3));
    world.emit((4..=6).map(|step| version(&world, id, step, step)).collect()).await;
    assert_eq!(number(&world).await, 6);
    let all = after(&world, 0, 10).await;
    assert_eq!((positions(&all), versions(&all)), (vec![1, 2, 3, 4, 5, 6], vec![1, 2, 3, 4, 5, 6]));
    assert_eq!(positions(&after(&world, 2, 3).await), [3, 4, 5]);
    assert!(after(&world, 6, 10).await.is_empty() && after(&world, 99, 10).await.is_empty());
}

/// An event that commits later has a later position, whatever its id.
pub async fn a_later_commit_has_a_later_position(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (one, other) = (world.id(), world.id());
    world.emit(vec![version(&world, one, 2, 10)]).await;
    assert_eq!(number(&world).await, 1);
    world.emit(vec![version(&world, other, 1, 1)]).await;
    assert_eq!(number(&world).await, 2);
    let all = after(&world, 0, 10).await;
    assert!(all[1].id < all[0].id && versions(&all) == [2, 1], "{all:?}");
    // Events that wait together are in the order of their times.
    world.emit(vec![version(&world, one, 9, 40)]).await;
    world.emit(vec![version(&world, other, 8, 30)]).await;
    world.emit(vec![version(&world, one, 7, 20)]).await;
    number(&world).await;
    assert_eq!(versions(&after(&world, 2, 10).await), [7, 8, 9]);
}

/// Each workspace has its own positions and sees only its own events.
pub async fn logs_are_per_workspace(subject: &StoreUnderTest) {
    let (world, other) = (subject.world().await, subject.world().await);
    // The same record in both, which only a bug could cause.
    let id = world.id();
    world.emit(vec![version(&world, id, 1, 1), version(&world, id, 2, 2)]).await;
    other.emit(vec![version(&other, id, 9, 1)]).await;
    assert_eq!((number(&world).await, number(&other).await), (2, 1));
    assert_eq!(versions(&after(&world, 0, 10).await), [1, 2]);
    assert_eq!(versions(&after(&other, 0, 10).await), [9]);
    assert_eq!(versions(&history(&world, id, true).await), [2, 1]);
    assert_eq!(versions(&history(&other, id, true).await), [9]);
}

/// All events at or after a time come after the position returned for it.
pub async fn events_since_a_time_come_after_its_position(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let before = |seconds: i64| {
        let since = world.now() + Duration::seconds(seconds);
        world.read(move |tx| tx.event_log().position_before(since))
    };
    assert_eq!(before(0).await, 0, "there are no events");
    let id = world.id();
    // The fourth was created before the third and committed after it.
    for (step, seconds) in [(1, 10), (2, 20), (3, 40), (4, 30), (5, 50)] {
        world.emit(vec![version(&world, id, step, seconds)]).await;
        number(&world).await;
    }
    for (seconds, expected) in [(0, 0), (10, 0), (11, 1), (20, 1), (25, 2), (30, 2), (40, 2), (41, 4), (50, 4), (51, 5)]
    {
        let found = before(seconds).await;
        assert!(found <= expected, "{seconds}: {found} hides an event");
        let rest = after(&world, found, 10).await;
        let since = world.now() + Duration::seconds(seconds);
        let missed = after(&world, 0, 10).await.into_iter().filter(|event| event.created_at >= since);
        assert!(missed.into_iter().all(|event| rest.contains(&event)), "{seconds}");
    }
    assert_eq!(before(51).await, 5);
}

async fn history(world: &TestWorkspace, record: Uuid, has_comments: bool) -> Vec<LoggedEvent> {
    let query = HistoryQuery { record, nouns: vec!["deal"], has_comments, now: world.now() };
    world.read(move |tx| tx.event_log().history(&query, &PageRequest::first(100))).await
}

/// Newest first, including events without a position; by page number and by cursor.
pub async fn a_history_runs_from_the_newest_to_the_oldest(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let id = world.id();
    let events = (1..=7).map(|step| version(&world, id, step, step / 2)).collect();
    world.emit(events).await;
    world.emit(vec![version(&world, world.id(), 1, 3)]).await;
    let all = history(&world, id, true).await;
    let mut by_time = all.clone();
    by_time.sort_by_key(|event| std::cmp::Reverse((event.created_at, event.id)));
    assert_eq!((all.len(), &all), (7, &by_time));
    assert!(all.iter().all(|event| event.position == 0));
    let expected: Vec<CursorKey> = all.iter().map(|event| (event.created_at, event.id.0)).collect();
    let now = world.now();
    check_walks(&world, &expected, move |tx, page| {
        let query = HistoryQuery { record: id, nouns: vec!["deal"], has_comments: true, now };
        Ok(tx.event_log().history(&query, page)?.into_iter().map(|event| HistoryEvent(event.view())).collect())
    })
    .await;
}

/// Events of the record's own kind, with or without those of comments on it.
pub async fn a_history_is_of_one_record_and_its_comments(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let id = world.id();
    let comment = Event { name: "deal.comment_added".to_owned(), version: None, ..version(&world, id, 0, 2) };
    world.emit(vec![version(&world, id, 1, 1), comment, version(&world, id, 2, 3)]).await;
    let names = |events: Vec<LoggedEvent>| events.into_iter().map(|event| event.name).collect::<Vec<_>>();
    let (updated, commented) = ("deal.updated", "deal.comment_added");
    assert_eq!(names(history(&world, id, true).await), [updated, commented, updated]);
    assert_eq!(names(history(&world, id, false).await), [updated, updated]);
    let of_other_kinds =
        HistoryQuery { record: id, nouns: vec!["task", "ticket"], has_comments: true, now: world.now() };
    let page = PageRequest::first(100);
    let found = world.read(move |tx| tx.event_log().history(&of_other_kinds, &page)).await;
    assert!(found.is_empty(), "an id of another kind of record: {found:?}");
}

/// A page by cursor ends before its payloads become too large, and the next page continues there.
pub async fn a_large_history_is_read_in_parts(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let deal: Deal = world.add(world.bare_deal()).await;
    let payload = format!("{{\"data\":{{\"text\":\"{}\"}},\"changes\":{{}}}}", "x".repeat(MAX_CURSOR_PAGE_BYTES / 3));
    let events = (1..=9).map(|step| Event { payload: payload.clone(), ..version(&world, deal.id.0, step, step) });
    let huge = format!("{{\"data\":{{\"text\":\"{}\"}},\"changes\":{{}}}}", "x".repeat(MAX_CURSOR_PAGE_BYTES + 1));
    let events: Vec<_> = events.collect();
    world.emit(vec![Event { payload: huge, ..version(&world, deal.id.0, 0, 0) }]).await;
    world.emit(events).await;
    let permit = world.permit::<ReadDeals>();
    let mut page = PageRequest::first(1);
    let (mut seen, mut sizes) = (Vec::new(), Vec::new());
    loop {
        let found = read_history(&world.ports, &permit, deal.id, page).await.unwrap();
        seen.extend(found.items.iter().filter_map(|event| event.0.version));
        sizes.push(found.items.len());
        let Some(last) = found.items.last().filter(|_| found.next_cursor.is_some()) else { break };
        page = PageRequest::after(last.0.created_at, last.0.id.0, 100);
    }
    assert_eq!(seen, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0], "{sizes:?}");
    assert_eq!(sizes, [1, 2, 2, 2, 2, 1], "at most {MAX_CURSOR_PAGE_BYTES} bytes, and at least one");
}
