//! An event never arrives before its record can be read: what a transaction writes of a workspace becomes visible at once.
//!
//! Over a cluster (`TEST_CITUS_URLS`, the second of which is read through) that holds because all of it is on one node.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::common::jobs::{NOW, company, entry, job};
use crate::common::webhooks::{done, event, request, subscribe};
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

/// On different shards, most likely.
const WORKSPACES: usize = 8;
const CREATES: usize = 200;

/// What readers saw.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    read: usize,
    absent: usize,
}

/// Stores over the node that is written through, and over another one, if there is one.
fn stores(database: &Database) -> (PgStore, PgStore) {
    let other = database.url_of_another_node();
    let open = |url| PgStore::connect(&PgOptions { pool_size: 8, ..PgOptions::new(url) }).unwrap();
    (open(database.url()), open(other))
}

async fn workspaces(store: &PgStore) -> Vec<WorkspaceId> {
    let mut made = Vec::new();
    for _ in 0..WORKSPACES {
        let workspace = workspace_value(crate::common::Different.new_id().as_u128());
        store.create_workspace(&workspace, &entry(AuditSubject::workspace(workspace.id))).await.unwrap();
        subscribe(store, workspace.id, 1).await;
        made.push(workspace.id);
    }
    made
}

/// Creates companies with an event each, whose payload is the id.
async fn create(store: PgStore, workspace: WorkspaceId) {
    for number in 0..CREATES {
        let made = company();
        // Their ids are in the order of their times.
        let at = NOW + time::Duration::microseconds(i64::try_from(number).unwrap());
        let event = Event { payload: format!("\"{}\"", made.id.0), at, ..event() };
        let create = job(move |tx| {
            tx.records::<Company>().insert(&made)?;
            tx.emit(std::slice::from_ref(&event))
        });
        store.run(workspace, create).await.unwrap();
    }
}

/// Whether the company in an event's text can be read through both nodes.
async fn is_there(stores: [&PgStore; 2], workspace: WorkspaceId, text: &str) -> bool {
    let id = text.rsplit('"').find_map(|part| part.parse().ok().map(CompanyId)).unwrap();
    for store in stores {
        let found = Arc::new(AtomicBool::new(false));
        let told = found.clone();
        let get = job(move |tx| {
            told.store(tx.records::<Company>().get(id)?.is_some(), Ordering::Relaxed);
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
    let mut seen = Seen::default();
    let mut claim = request(1);
    (claim.limit, claim.limit_per_subscription, claim.now) = (100, 20, NOW + time::Duration::minutes(1));
    while seen.read < WORKSPACES * CREATES {
        let claims = other.claim(&claim).await.unwrap();
        claim.after = claims.next_after;
        let of_here = claims.deliveries.iter().filter(|claimed| workspaces.contains(&claimed.workspace));
        for claimed in of_here {
            seen.read += 1;
            let is_there = is_there([&other, &store], claimed.workspace, &claimed.delivery.body).await;
            seen.absent += usize::from(!is_there);
        }
        let records: Vec<_> = claims.deliveries.iter().map(|claimed| done(claimed, 1, Verdict::Succeeded)).collect();
        other.record(&records).await.unwrap();
    }
    for creating in creating {
        creating.await.unwrap();
    }
    println!("{} deliveries were claimed, and the record of {} was absent", seen.read, seen.absent);
    assert_eq!(seen, Seen { read: WORKSPACES * CREATES, absent: 0 });
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
            let (mut behind, mut seen) = (0, Seen::default());
            while seen.read < CREATES {
                EventLogs::number(&other, workspace).await.unwrap();
                let (told, page) = tokio::sync::oneshot::channel();
                let mut told = Some(told);
                let read = job(move |tx| {
                    let page = tx.event_log().after(behind, 50)?;
                    told.take().map(|told| told.send(page));
                    Ok(())
                });
                other.run(workspace, read).await.unwrap();
                for event in page.await.unwrap() {
                    assert_eq!(event.position, behind + 1, "a position is left out");
                    behind = event.position;
                    seen.read += 1;
                    let is_there = is_there([&other, &store], workspace, &event.payload).await;
                    seen.absent += usize::from(!is_there);
                }
            }
            seen
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
    let mut all = Seen::default();
    for follower in following {
        let seen = follower.await.unwrap();
        (all.read, all.absent) = (all.read + seen.read, all.absent + seen.absent);
    }
    println!("{} events were followed, and the record of {} was absent", all.read, all.absent);
    assert_eq!(all, Seen { read: WORKSPACES * CREATES, absent: 0 });
}

#[derive(QueryableByName)]
struct Appended {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    payload: String,
}

/// Reads each event as soon as it can, and its company at once: nothing comes in between, as it does for dispatchers.
fn watch(url: &str, workspace: WorkspaceId) -> Seen {
    let mut connection = PgConnection::establish(url).unwrap();
    let (mut behind, mut seen) = (Uuid::nil(), Seen::default());
    while seen.read < CREATES {
        let sql = "SELECT id, payload FROM events WHERE workspace_id = $1 AND id > $2 ORDER BY id";
        let sql = diesel::sql_query(sql).bind::<SqlUuid, _>(workspace.0).bind::<SqlUuid, _>(behind);
        let appended: Vec<Appended> = sql.load(&mut connection).unwrap();
        for event in appended {
            behind = event.id;
            seen.read += 1;
            let id: Uuid = event.payload.trim_matches('"').parse().unwrap();
            let sql = diesel::sql_query("SELECT id FROM companies WHERE workspace_id = $1 AND id = $2");
            let found = sql.bind::<SqlUuid, _>(workspace.0).bind::<SqlUuid, _>(id).execute(&mut connection).unwrap();
            seen.absent += usize::from(found == 0);
        }
    }
    seen
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_sees_an_event_sees_its_record() {
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
    let mut all = Seen::default();
    for watcher in watching {
        let seen = watcher.join().unwrap();
        (all.read, all.absent) = (all.read + seen.read, all.absent + seen.absent);
    }
    println!("{} events were seen, and the record of {} was absent", all.read, all.absent);
    assert_eq!(all, Seen { read: WORKSPACES * CREATES, absent: 0 });
}
