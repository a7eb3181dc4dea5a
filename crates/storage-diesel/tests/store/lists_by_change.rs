//! Readers of lists by change, with concurrent writers.

use std::sync::Arc;

use crate::common::Database;
use domain::crm::deals::Deal;
use domain::crm::upserts;
use domain::identity::access::UpsertDeals;
use domain::kernel::input::{Input, InputMode};
use domain::testing::ManualClock;
use domain::{DealId, Error};
use serde_json::{Value, json};
use storage_contract::changes::ChangeReader;
use storage_contract::{StoreUnderTest, TestWorkspace};
use time::{Duration, OffsetDateTime};

const WRITERS: usize = 8;
const ROUNDS: usize = 25;

/// Upserts many deals in one transaction.
async fn upsert(world: &TestWorkspace, titles: impl Iterator<Item = (String, String)>) {
    let items: Vec<Value> = titles.map(|(id, title)| json!({"external_id": id, "title": title})).collect();
    let body = json!({ "items": items }).as_object().cloned().unwrap();
    let items = Input::from_object(body, InputMode::Create).unwrap();
    match upserts::upsert::<Deal>(&world.ports, &world.permit::<UpsertDeals>(), None, items).await {
        // Too many concurrent changes of the same records: nothing was written.
        Ok(_) | Err(Error::Store(_)) => {}
        Err(error) => panic!("{error}"),
    }
}

/// Creates deals and changes its own and shared ones, singly and in bulk, while the clock jumps back and forth.
async fn write(world: Arc<TestWorkspace>, clock: Arc<ManualClock>, shared: Vec<DealId>, writer: usize) {
    let (start, mut created): (OffsetDateTime, _) = (world.now(), Vec::new());
    for round in 0..ROUNDS {
        let jump = i64::try_from((writer * 7_919 + round * 104_729) % 1_000).unwrap();
        clock.set(start + Duration::microseconds(jump));
        match round % 5 {
            0 | 1 => created.push(world.create_deal().await),
            2 => drop(world.rename_deal(shared[(writer + round) % shared.len()], &format!("{writer} {round}")).await),
            3 => drop(world.rename_deal(created[round % created.len()], &format!("{round}")).await),
            _ => {
                let title = format!("{writer} {round}");
                upsert(&world, (0..20).map(|number| (format!("x{}", number * (1 + writer % 2)), title.clone()))).await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_sees_the_last_version_of_everything_that_eight_write() {
    let database = Database::migrated();
    let (ports, clock) = database.ports();
    let world = Arc::new(StoreUnderTest { ports, clock: clock.clone() }.world().await);
    let mut shared = Vec::new();
    for _ in 0..3 {
        shared.push(world.create_deal().await);
    }
    let start = |writer| tokio::spawn(write(world.clone(), clock.clone(), shared.clone(), writer));
    let writers: Vec<_> = (0..WRITERS).map(start).collect();
    let (mut reader, mut small) = (ChangeReader::default(), ChangeReader::default());
    while !writers.iter().all(tokio::task::JoinHandle::is_finished) {
        reader.read(&world, 20).await;
        small.read(&world, 3).await;
    }
    for writer in writers {
        writer.await.unwrap();
    }
    let last = world.deal_versions().await;
    assert!(last.len() > WRITERS * ROUNDS / 4, "{}", last.len());
    for (mut reader, limit) in [(reader, 20), (small, 3)] {
        let mut reads = 0;
        while reader.read(&world, limit).await {
            reads += 1;
            assert!(reads < 5_000, "the reader makes no progress");
        }
        assert_eq!(reader.versions, last, "{limit} at a time");
    }
}
