//! An event never arrives before its record can be read: all writes of a transaction in a workspace become visible at once.
//!
//! In a cluster (`TEST_CITUS_URLS`, with reads through the second node), this holds because a workspace is on one node.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::common::jobs::{NOW, company, entry, job};
use crate::common::webhooks::{attempt, event, request, subscribe};
use crate::common::{Database, concurrently};
use diesel::prelude::*;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use domain::crm::companies::Company;
use domain::events::Event;
use domain::identity::audit::AuditSubject;
use domain::ports::{DeliveryQueue, Directory, EventLogs, Ids, Store};
use domain::testing::workspace_value;
use domain::webhooks::Verdict;
use domain::{CompanyId, WorkspaceId};
use storage_diesel::{PgOptions, PgStore};
use tokio::sync::Barrier;
use uuid::Uuid;

/// Most likely on different shards.
const WORKSPACES: usize = 8;
const CREATES: usize = 200;

/// How many events readers got, and how many records were absent.
#[derive(Debug, Default, PartialEq, Eq)]
struct ReadCounts {
    read: usize,
    absent: usize,
}

/// A store on the node for writes, and one on another node, if there is one.
fn stores(database: &Database) -> (PgStore, PgStore) {
    let other = database.url_of_another_node();
    let open = |url| PgStore::connect(&PgOptions { pool_size: 8, ..PgOptions::new(url) }).unwrap();
    (open(database.url()), open(other))
}

async fn workspaces(store: &PgStore) -> Vec<WorkspaceId> {
    let mut ids = Vec::new();
    for _ in 0..WORKSPACES {
        let workspace = workspace_value(crate::common::UniqueValues.new_id().as_u128());
        store.create_workspace(&workspace, &entry(AuditSubject::workspace(workspace.id))).await.unwrap();
        subscribe(store, workspace.id, 1).await;
        ids.push(workspace.id);
    }
    ids
}

/// Creates companies with an event each, whose payload is the id.
async fn create(store: PgStore, workspace: WorkspaceId) {
    for number in 0..CREATES {
        let record = company();
        // Ids sort by time.
        let at = NOW + time::Duration::microseconds(i64::try_from(number).unwrap());
        let event = Event { payload: format!("\"{}\"", record.id.0), at, ..event() };
        let create = job(move |tx| {
            tx.records::<Company>().insert(&record)?;
            tx.emit(std::slice::from_ref(&event))
        });
        store.run(workspace, create).await.unwrap();
    }
}

/// Whether the company in an event's text can be read through both nodes.
async fn is_readable(stores: [&PgStore; 2], workspace: WorkspaceId, text: &str) -> bool {
    let id = text.rsplit('"').find_map(|part| part.parse().ok().map(CompanyId)).unwrap();
    for store in stores {
        let found = Arc::new(AtomicBool::new(false));
        let shared = found.clone();
        let get = job(move |tx| {
            shared.store(tx.records::<Company>().get(id)?.is_some(), Ordering::Relaxed);
            Ok(())
        });
        store.run(workspace, get).await.unwrap();
        if !found.load(Ordering::Relaxed) {
            return false;
        }
    }
    true
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delivery_is_claimed_once_its_record_can_be_read() {
    let database = Database::migrated();
    let (store, other) = stores(&database);
    let workspaces = workspaces(&store).await;
    let creating: Vec<_> = workspaces.iter().map(|workspace| tokio::spawn(create(store.clone(), *workspace))).collect();
    let mut counts = ReadCounts::default();
    let mut claim = request(1);
    (claim.limit, claim.limit_per_subscription, claim.now) = (100, 20, NOW + time::Duration::minutes(1));
    while counts.read < WORKSPACES * CREATES {
        let claims = other.claim(&claim).await.unwrap();
        claim.after = claims.next_after;
        let ours = claims.deliveries.iter().filter(|claimed| workspaces.contains(&claimed.workspace));
        for claimed in ours {
            counts.read += 1;
            let is_readable = is_readable([&other, &store], claimed.workspace, &claimed.delivery.body).await;
            counts.absent += usize::from(!is_readable);
        }
        let records: Vec<_> = claims.deliveries.iter().map(|claimed| attempt(claimed, 1, Verdict::Succeeded)).collect();
        other.record(&records).await.unwrap();
    }
    for creating in creating {
        creating.await.unwrap();
    }
    println!("{} deliveries were claimed, and the record of {} was absent", counts.read, counts.absent);
    assert_eq!(counts, ReadCounts { read: WORKSPACES * CREATES, absent: 0 });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_follower_of_the_log_can_read_the_record() {
    let database = Database::migrated();
    let (store, other) = stores(&database);
    let workspaces = workspaces(&store).await;
    let start = Arc::new(Barrier::new(2 * WORKSPACES));
    let following = workspaces.iter().map(|workspace| {
        let (store, other, workspace, start) = (store.clone(), other.clone(), *workspace, start.clone());
        tokio::spawn(async move {
            start.wait().await;
            let (mut behind, mut counts) = (0, ReadCounts::default());
            while counts.read < CREATES {
                EventLogs::number(&other, workspace).await.unwrap();
                let (sender, page) = tokio::sync::oneshot::channel();
                let mut sender = Some(sender);
                let read = job(move |tx| {
                    let page = tx.event_log().after(behind, 50)?;
                    sender.take().map(|sender| sender.send(page));
                    Ok(())
                });
                other.run(workspace, read).await.unwrap();
                for event in page.await.unwrap() {
                    assert_eq!(event.position, behind + 1, "a position is left out");
                    behind = event.position;
                    counts.read += 1;
                    let is_readable = is_readable([&other, &store], workspace, &event.payload).await;
                    counts.absent += usize::from(!is_readable);
                }
            }
            counts
        })
    });
    let following: Vec<_> = following.collect();
    for workspace in &workspaces {
        let (store, workspace, start) = (store.clone(), *workspace, start.clone());
        tokio::spawn(async move {
            start.wait().await;
            create(store, workspace).await;
        });
    }
    let mut all = ReadCounts::default();
    for follower in following {
        let counts = follower.await.unwrap();
        (all.read, all.absent) = (all.read + counts.read, all.absent + counts.absent);
    }
    println!("{} events were followed, and the record of {} was absent", all.read, all.absent);
    assert_eq!(all, ReadCounts { read: WORKSPACES * CREATES, absent: 0 });
}

#[derive(QueryableByName)]
struct EventRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    payload: String,
}

/// Reads each event as early as possible and then its company, without the steps of a dispatcher in between.
fn watch(url: &str, workspace: WorkspaceId) -> ReadCounts {
    let mut connection = PgConnection::establish(url).unwrap();
    let (mut behind, mut counts) = (Uuid::nil(), ReadCounts::default());
    while counts.read < CREATES {
        let sql = "SELECT id, payload FROM events WHERE workspace_id = $1 AND id > $2 ORDER BY id";
        let sql = diesel::sql_query(sql).bind::<SqlUuid, _>(workspace.0).bind::<SqlUuid, _>(behind);
        let rows: Vec<EventRow> = sql.load(&mut connection).unwrap();
        for event in rows {
            behind = event.id;
            counts.read += 1;
            let id: Uuid = event.payload.trim_matches('"').parse().unwrap();
            let sql = diesel::sql_query("SELECT id FROM companies WHERE workspace_id = $1 AND id = $2");
            let found = sql.bind::<SqlUuid, _>(workspace.0).bind::<SqlUuid, _>(id).execute(&mut connection).unwrap();
            counts.absent += usize::from(found == 0);
        }
    }
    counts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_visible_event_has_a_visible_record() {
    let database = Database::migrated();
    let url = database.url_of_another_node();
    let (store, _) = stores(&database);
    let workspaces = workspaces(&store).await;
    let watching = workspaces.iter().map(|workspace| {
        let (url, workspace) = (url.clone(), *workspace);
        thread::spawn(move || watch(&url, workspace))
    });
    let watching: Vec<_> = watching.collect();
    concurrently(workspaces.iter().map(|workspace| create(store.clone(), *workspace))).await;
    let mut all = ReadCounts::default();
    for watcher in watching {
        let counts = watcher.join().unwrap();
        (all.read, all.absent) = (all.read + counts.read, all.absent + counts.absent);
    }
    println!("{} events were seen, and the record of {} was absent", all.read, all.absent);
    assert_eq!(all, ReadCounts { read: WORKSPACES * CREATES, absent: 0 });
}
