//! The in-memory store, for tests of use cases and surfaces. What none of them needs
//! panics (`not_in_memory.rs`).

mod accounts;
mod activity;
mod audit;
mod batch;
mod checked;
mod console;
mod crm;
mod directory;
mod email;
mod events;
mod issues;
mod kb;
mod keys;
mod link_requests;
mod not_in_memory;
mod projects;
mod quota;
mod records;
mod second_factors;
mod sessions;
mod set_up;
mod state;
mod support;
mod table;
mod test_ports;
mod time_entries;
mod transfer;
mod unique;
mod users;
mod webhooks;

pub use checked::CheckedStore;
pub use test_ports::TestPorts;

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use domain::WorkspaceId;
use domain::ports::{Abort, Clock, Job, Store, StoreError};
use domain::testing::ManualClock;
use state::{MemoryTx, Records, State};

/// How often a contended job is rerun.
const MAX_RERUNS: u32 = 3;

/// A store that keeps everything in memory until it is dropped. Transactions run one at a time.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
    clock: Arc<ManualClock>,
}

impl MemoryStore {
    /// An empty store that uses this clock for its own time.
    pub fn new(clock: Arc<ManualClock>) -> Self {
        Self { state: Mutex::default(), clock }
    }

    /// Runs `work` with exclusive access to the state.
    fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Runs a job in a transaction. `check` compares the workspace's records before and after it.
    fn run_with(
        &self,
        workspace: WorkspaceId,
        mut job: Job,
        check: &dyn Fn(&Records, &Records),
    ) -> Result<(), StoreError> {
        let mut reruns = 0;
        loop {
            let ended = self.with(|state| {
                // A copy, so that a job that panics leaves no more behind than one that fails.
                let mut draft = state.clone();
                let ended = job(&mut MemoryTx::new(&mut draft, workspace, self.clock.elapsed()));
                if ended.is_ok() {
                    let none = Records::default();
                    check(state.records.get(&workspace).unwrap_or(&none), &draft.records[&workspace]);
                    *state = draft;
                }
                ended
            });
            match ended {
                Ok(()) | Err(Abort::Rule) => return Ok(()),
                Err(Abort::Store(StoreError::Contended)) if reruns < MAX_RERUNS => reruns += 1,
                Err(Abort::Store(error)) => return Err(error),
            }
        }
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn run(&self, workspace: WorkspaceId, job: Job) -> Result<(), StoreError> {
        self.run_with(workspace, job, &|_, _| ())
    }

    async fn statement(&self, workspace: WorkspaceId, mut job: Job) -> Result<(), StoreError> {
        match self.with(|state| job(&mut MemoryTx::new(state, workspace, self.clock.elapsed()))) {
            Ok(()) | Err(Abort::Rule) => Ok(()),
            Err(Abort::Store(error)) => Err(error),
        }
    }
}
