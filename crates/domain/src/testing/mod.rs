//! Aids for tests: a clock that is set by hand, ids and randomness in sequence, and the in-memory store.

mod memory;
pub mod suite;
#[cfg(test)]
mod use_cases;

pub use memory::MemoryStore;

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::access::{Actor, Caller, Scope};
use crate::issues::{Issue, IssueKind, IssueStatus};
use crate::ports::{Clock, Directory, Ids, Operator, Ports, Random};
use crate::projects::Priority;
use crate::workspaces::{self, NewWorkspace, Plan, Workspace, WorkspaceStatus};
use crate::{ApiKeyId, IssueId, WorkspaceId};

/// A clock that moves only when it is told to.
#[derive(Debug)]
pub struct ManualClock(Mutex<OffsetDateTime>);

impl Default for ManualClock {
    fn default() -> Self {
        Self(Mutex::new(datetime!(2030-01-31 09:00 UTC)))
    }
}

impl ManualClock {
    /// Moves the clock on.
    pub fn advance(&self, by: Duration) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += by;
    }

    /// Sets the clock.
    pub fn set(&self, now: OffsetDateTime) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> OffsetDateTime {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ids that count up, in the form of version 7.
#[derive(Debug, Default)]
pub struct SequenceIds(AtomicU64);

impl Ids for SequenceIds {
    fn new_id(&self) -> Uuid {
        let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        let mut bytes = [0; 10];
        bytes[2..].copy_from_slice(&number.to_be_bytes());
        uuid::Builder::from_unix_timestamp_millis(number, &bytes).into_uuid()
    }
}

/// Bytes that look random and are the same in every run.
#[derive(Debug, Default)]
pub struct SequenceRandom(AtomicU64);

impl Random for SequenceRandom {
    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            // The high bits of a multiplicative sequence pass for random here.
            let step = self.0.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
            *byte = (step.wrapping_mul(0xD134_2543_DE82_EF95) >> 56) as u8;
        }
    }
}

/// A workspace for tests that need no store.
pub fn workspace_value(id: u128) -> Workspace {
    Workspace {
        id: WorkspaceId(Uuid::from_u128(id)),
        slug: format!("workspace-{id}"),
        name: format!("Workspace {id}"),
        plan: Plan::Starter,
        status: WorkspaceStatus::Active,
        default_currency: "USD".to_owned(),
    }
}

/// A caller with these scopes.
///
/// # Panics
/// When a scope does not exist.
pub fn caller(scopes: &[&str]) -> Caller {
    caller_in(workspace_value(1), scopes)
}

/// A caller with these scopes in a workspace.
///
/// # Panics
/// When a scope does not exist.
pub fn caller_in(workspace: Workspace, scopes: &[&str]) -> Caller {
    let scopes = scopes.iter().map(|text| Scope::parse(text).unwrap_or_else(|| panic!("{text} is no scope"))).collect();
    Caller { workspace, key_id: ApiKeyId(Uuid::from_u128(7)), scopes }
}

/// An issue with nothing but a kind and a status.
pub fn issue(kind: IssueKind, status: IssueStatus) -> Issue {
    Issue {
        id: IssueId(Uuid::from_u128(1)),
        kind,
        number: 1,
        reference: None,
        title: "An issue".to_owned(),
        description: None,
        status,
        priority: Priority::Medium,
        project_id: None,
        assignee_id: None,
        due_at: None,
        start_date: None,
        parent_id: None,
        epic_id: None,
        cycle_id: None,
        estimate_hours: None,
        labels: Vec::new(),
        completed_at: None,
        version: 1,
        created_at: OffsetDateTime::UNIX_EPOCH,
        updated_at: OffsetDateTime::UNIX_EPOCH,
        created_by: Actor::SYSTEM,
    }
}

/// Ports over the in-memory store, with the clock at hand.
#[derive(Debug)]
pub struct TestPorts {
    /// The ports.
    pub ports: Ports,
    /// Their clock.
    pub clock: Arc<ManualClock>,
}

impl Default for TestPorts {
    fn default() -> Self {
        Self::new()
    }
}

impl TestPorts {
    /// Fresh ports over an empty store.
    pub fn new() -> Self {
        let clock = Arc::new(ManualClock::default());
        let store = Arc::new(MemoryStore::default());
        let directory: Arc<dyn Directory> = store.clone();
        let ports = Ports {
            store,
            directory,
            clock: clock.clone(),
            ids: Arc::new(SequenceIds::default()),
            random: Arc::new(SequenceRandom::default()),
        };
        Self { ports, clock }
    }

    /// Makes a workspace.
    ///
    /// # Panics
    /// When the store refuses it.
    pub fn workspace(&self) -> WorkspaceId {
        let new = NewWorkspace { name: "Test".to_owned(), slug: "test".to_owned(), plan: Plan::Starter };
        match self.block_on(workspaces::create(&self.ports, &Operator::of_this_process(), &new)) {
            Ok(workspace) => workspace.id,
            Err(error) => panic!("{error}"),
        }
    }

    /// Runs a future that never waits, as all of the in-memory store's do.
    ///
    /// # Panics
    /// When the future waits.
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => value,
            Poll::Pending => panic!("a future over the in-memory store waited"),
        }
    }
}
