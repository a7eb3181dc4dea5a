//! The port tests: cases of what the store guarantees to the domain.
//!
//! A case takes a [`StoreUnderTest`] and creates its own workspaces, members and keys. Cases may share a database and
//! run concurrently, as long as ids and randomness differ between them. [`port_suite!`](crate::port_suite) makes one test of
//! each case:
//!
//! ```text
//! fn on_my_store(case: impl AsyncFnOnce(&StoreUnderTest)) {
//!     let runtime = …;
//!     runtime.block_on(async { case(&StoreUnderTest { ports: …, clock: … }).await });
//! }
//! storage_contract::port_suite!(on_my_store, with_my_email_queue, with_my_delivery_queue);
//! ```
#![expect(clippy::unwrap_used, clippy::missing_panics_doc, reason = "all of this is tests: they fail by panicking")]

pub mod accounts;
pub mod api_keys;
pub mod audit;
pub mod batches;
pub mod board;
pub mod burn_ups;
pub mod cascades;
pub mod changes;
pub mod comment_search;
pub mod comments;
pub mod cycles;
pub mod deals;
pub mod declared_members;
pub mod deliveries;
pub mod email;
pub mod email_limits;
pub mod email_lists;
pub mod erasures;
pub mod event_following;
pub mod event_log;
pub mod filters;
pub mod first_minutes;
pub mod home;
pub mod idempotency;
pub mod imports;
pub mod isolation;
pub mod issue_lists;
pub mod issues;
pub mod kb;
pub mod kb_lists;
pub mod kb_vain;
pub mod kinds;
pub mod link_requests;
pub mod members;
pub mod named;
pub mod operators;
mod paging;
pub mod people;
pub mod person_erasures;
pub mod queue;
pub mod queue_backlog;
pub mod quota;
pub mod record_comments;
pub mod record_search;
mod records;
pub mod references;
pub mod replays;
pub mod saved_views;
pub mod search;
pub mod second_factors;
pub mod sessions;
pub mod sorted_lists;
pub mod subscriptions;
mod suites;
pub mod tickets;
pub mod time_entries;
pub mod timers;
pub mod transactions;
pub mod undos;
mod users;
mod webhook_records;
pub mod webhook_upkeep;
mod work_records;
mod workspace_fixture;
pub mod workspaces;

pub use workspace_fixture::{PASSWORD, TestWorkspace};

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::Error;
use domain::ports::{Ports, StoreError};
use domain::testing::ManualClock;

/// Held by cases that prune by date, because pruning deletes earlier rows of other cases too. Waiting blocks the thread of the case.
struct Pruning {
    _held: MutexGuard<'static, ()>,
}

impl Pruning {
    fn alone() -> Self {
        static HELD: Mutex<()> = Mutex::new(());
        Self { _held: HELD.lock().unwrap_or_else(PoisonError::into_inner) }
    }
}

#[derive(Debug)]
pub struct StoreUnderTest {
    pub ports: Ports,
    pub clock: Arc<ManualClock>,
}

/// The field of a duplicate.
pub fn taken<T: std::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    match result {
        Err(Error::Store(StoreError::Duplicate { field }) | Error::Duplicate { field, .. }) => field,
        other => panic!("expected a duplicate, got {other:?}"),
    }
}
