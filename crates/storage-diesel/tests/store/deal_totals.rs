//! The totals of the deal board, with concurrent writers and folding.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::Database;
use crate::common::jobs::count;
use domain::crm::deals::{Deal, DealStage};
use storage_contract::{StoreUnderTest, TestWorkspace};

const WRITERS: usize = 4;
const DEALS: usize = 6;
const MOVES: usize = 60;

async fn counted(world: &TestWorkspace) -> u64 {
    world.read(|tx| Ok(tx.deals().board_totals()?.iter().map(|part| part.count).sum())).await
}

/// Moves its own deals between stages, one transaction per move.
async fn move_deals(world: Arc<TestWorkspace>, mut deals: Vec<Deal>) {
    for number in 0..MOVES {
        let deal = &mut deals[number % DEALS];
        deal.stage = [DealStage::Proposal, DealStage::Negotiation, DealStage::Discovery][number % 3];
        let moved = deal.clone();
        world.commit(move |tx| tx.records::<Deal>().save(&moved)).await;
    }
}

/// A moving deal is always counted exactly once, whatever folding and other writers do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_reader_counts_each_deal_once() {
    let database = Database::migrated();
    let (ports, clock) = database.ports();
    let world = Arc::new(StoreUnderTest { ports, clock }.world().await);
    let mut writers = Vec::new();
    for _ in 0..WRITERS {
        let mut deals = Vec::new();
        for _ in 0..DEALS {
            deals.push(world.add(world.bare_deal()).await);
        }
        writers.push(deals);
    }
    let all = (WRITERS * DEALS) as u64;
    let is_over = Arc::new(AtomicBool::new(false));
    let folders: Vec<_> = (0..2)
        .map(|_| {
            let (world, is_over) = (world.clone(), is_over.clone());
            tokio::spawn(async move {
                while !is_over.load(Ordering::Relaxed) {
                    world.ports.directory.fold_deal_totals(7).await.unwrap();
                }
            })
        })
        .collect();
    let writers: Vec<_> = writers.into_iter().map(|deals| tokio::spawn(move_deals(world.clone(), deals))).collect();
    while !writers.iter().all(tokio::task::JoinHandle::is_finished) {
        assert_eq!(counted(&world).await, all);
    }
    for writer in writers {
        writer.await.unwrap();
    }
    is_over.store(true, Ordering::Relaxed);
    for folder in folders {
        folder.await.unwrap();
    }
    while world.ports.directory.fold_deal_totals(1_000).await.unwrap() > 0 {}
    assert_eq!(counted(&world).await, all);
    assert_eq!(count(&database, "deal_total_changes"), 0);
    assert_eq!(count(&database, "deal_totals WHERE deals < 0 OR value < 0"), 0);
}
