//! The event log with long transactions, and with concurrent writers and numbering.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, mpsc};

use crate::common::jobs::{NOW, count, job, store_over};
use crate::common::{Database, concurrently};
use diesel::connection::SimpleConnection;
use domain::WorkspaceId;
use domain::events::{Event, EventRecord, LoggedEvent, Module};
use domain::identity::access::{Actor, ActorKind, Principal};
use domain::ports::{EventLogs, Store};
use domain::testing;
use domain::tools::Tool;
use storage_diesel::PgStore;
use time::Duration;
use tokio::sync::Barrier;
use uuid::Uuid;

fn version(record: u128, version: i64, millis: i64) -> Event {
    Event {
        record: Some(EventRecord { noun: "deal", id: Uuid::from_u128(record) }),
        version: Some(version),
        ..testing::event(Module::Crm, "deal.updated", NOW + Duration::milliseconds(millis))
    }
}

async fn emit(store: &PgStore, workspace: WorkspaceId, events: Vec<Event>) {
    store.run(workspace, job(move |tx| tx.emit(&events))).await.unwrap();
}

async fn after(store: &PgStore, workspace: WorkspaceId, position: i64) -> Vec<LoggedEvent> {
    let (sender, receiver) = mpsc::channel();
    let read = job(move |tx| tx.event_log().after(position, 10_000).map(|found| sender.send(found).unwrap()));
    store.statement(workspace, read).await.unwrap();
    receiver.try_iter().last().unwrap()
}

fn versions(events: &[LoggedEvent]) -> Vec<i64> {
    events.iter().filter_map(|event| event.version).collect()
}

/// An uncommitted transaction blocks no others, and its events get their positions after the commit.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_commits_come_after_events_already_read() {
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let mut open = database.connection();
    let append = format!(
        "BEGIN; SELECT append_events('{}', '{{crm}}', '{{deal.updated}}', '{{NULL}}', '{{NULL}}', '{{deal}}',
            '{{00000000-0000-0000-0000-000000000007}}', '{{1}}', '{{f}}', '{{system}}', '{{NULL}}', '{{service}}',
            '{{NULL}}', '{{NULL}}', ARRAY['{{}}'], '{{2030-01-31 08:00Z}}', 100)",
        workspace.0
    );
    open.batch_execute(&append).unwrap();
    emit(&store, workspace, vec![version(1, 2, 0), version(1, 3, 1)]).await;
    assert_eq!(store.number(workspace).await.unwrap(), 2);
    assert_eq!(versions(&after(&store, workspace, 0).await), [2, 3]);
    open.batch_execute("COMMIT").unwrap();
    emit(&store, workspace, vec![version(1, 4, 2)]).await;
    assert_eq!(store.number(workspace).await.unwrap(), 4);
    let late = after(&store, workspace, 2).await;
    assert_eq!(versions(&late), [1, 4], "older, but committed later");
    assert!(late[0].id < after(&store, workspace, 0).await[0].id);
    open.batch_execute("BEGIN").unwrap();
    open.batch_execute(&append.replace("BEGIN; ", "").replace("'{1}'", "'{9}'")).unwrap();
    open.batch_execute("ROLLBACK").unwrap();
    assert_eq!((store.number(workspace).await.unwrap(), count(&database, "events")), (4, 4));
}

/// A single event is appended with another statement than several events.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn single_and_batched_events_are_stored_alike() {
    let (database, store, workspace) = store_over(Database::migrated(), |_| ()).await;
    let by = Principal {
        actor: Actor { kind: ActorKind::ApiKey, id: Some(Uuid::from_u128(5)) },
        name: "Zoë's key".into(),
        request_id: Some("request".into()),
        tool: Some(Tool::UpdateDeal),
        is_trial: true,
        ..testing::event(Module::Crm, "deal.updated", NOW).by
    };
    let full = |scope| Event {
        scope: Some(Uuid::from_u128(scope)),
        former_scope: Some(Uuid::from_u128(8)),
        is_internal: true,
        by: by.clone(),
        payload: r#"{"data": "✓"}"#.to_owned(),
        ..version(7, 3, 0)
    };
    let empty = || testing::event(Module::Crm, "deal.updated", NOW);
    for alone in [full(1), empty()] {
        emit(&store, workspace, vec![alone]).await;
    }
    emit(&store, workspace, vec![full(1), empty()]).await;
    let kinds = "(SELECT DISTINCT to_jsonb(events) - 'id' FROM events) AS kinds";
    assert_eq!((count(&database, "events"), count(&database, kinds)), (4, 2));
    emit(&store, workspace, vec![full(2)]).await;
    assert_eq!(count(&database, kinds), 3);
    assert_eq!(store.number(workspace).await.unwrap(), 5);
}

/// Concurrent numbering leaves no gaps and gives each event one position.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_numbering_gives_each_event_one_position() {
    let (database, store, workspace) = store_over(Database::migrated(), |options| options.pool_size = 8).await;
    let start = Arc::new(Barrier::new(8));
    let tasks = (0..8_u128).map(|task| {
        let (store, start) = (store.clone(), Arc::clone(&start));
        async move {
            start.wait().await;
            for step in 0..20_i64 {
                let events = (0..=step % 4).map(|more| version(task, step * 4 + more, step * 4 + more)).collect();
                emit(&store, workspace, events).await;
                store.number(workspace).await.unwrap();
            }
        }
    });
    concurrently(tasks).await;
    let last = store.number(workspace).await.unwrap();
    let events = after(&store, workspace, 0).await;
    assert_eq!((last, count(&database, "events")), (8 * 50, 8 * 50));
    assert!(events.iter().map(|event| event.position).eq(1..=last), "no gap, no repetition");
    assert_eq!(events.iter().map(|event| event.id).collect::<BTreeSet<_>>().len(), events.len());
    let mut by_record: BTreeMap<Uuid, Vec<i64>> = BTreeMap::new();
    for event in &events {
        by_record.entry(event.record.as_ref().unwrap().1).or_default().extend(event.version);
    }
    assert!(by_record.values().all(|versions| versions.is_sorted()), "{by_record:?}");
    assert_eq!(count(&database, "events_unnumbered"), 0);
    assert_eq!(store.unnumbered(10).await.unwrap(), []);
}

/// A reader that follows while others commit sees each event once, in the order of its record's versions.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_follower_misses_and_repeats_nothing_while_others_commit() {
    let (_database, store, workspace) = store_over(Database::migrated(), |options| options.pool_size = 8).await;
    let writers: Vec<_> = (0..6_u128)
        .map(|task| {
            let store = store.clone();
            tokio::spawn(async move {
                for step in 0..40_i64 {
                    // Each transaction makes its first write before others that commit earlier.
                    let events: Vec<_> = (0..3).map(|more| version(task, step * 3 + more, step * 3 + more)).collect();
                    emit(&store, workspace, events).await;
                }
            })
        })
        .collect();
    let (mut log, mut position) = (Vec::new(), 0);
    while log.len() < 6 * 120 {
        let is_over = writers.iter().all(tokio::task::JoinHandle::is_finished);
        store.number(workspace).await.unwrap();
        let found = after(&store, workspace, position).await;
        position = found.last().map_or(position, |event| event.position);
        assert!(!is_over || !found.is_empty() || log.len() == 6 * 120, "{} of 720 seen", log.len());
        log.extend(found);
    }
    let ids: BTreeSet<_> = log.iter().map(|event| event.id).collect();
    assert_eq!((ids.len(), log.len()), (720, 720));
    for task in 0..6 {
        let of_task = log.iter().filter(|event| event.record.as_ref().unwrap().1 == Uuid::from_u128(task));
        assert!(of_task.map(|event| event.version.unwrap()).eq(0..120), "record {task}");
    }
}
