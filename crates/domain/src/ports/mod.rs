//! What the rules need from outside: time, ids, randomness and storage.

mod store;

pub use store::{
    Abort, ApiKeyRepo, CommentRepo, CompanyRepo, ContactRepo, CycleRepo, DealRepo, Directory, IdempotencyRepo,
    IssueRepo, Job, ProjectRepo, Store, StoreError, Tx, statement, transact, transact_as_operator, transact_once,
};

use std::sync::Arc;

use time::OffsetDateTime;
use uuid::Uuid;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now, in UTC and whole microseconds: what the store keeps is what was said.
    fn now(&self) -> OffsetDateTime;
}

/// Cuts a time to what the store keeps.
pub fn to_microseconds(time: OffsetDateTime) -> OffsetDateTime {
    // A whole number of microseconds below a second is always a valid nanosecond.
    time.replace_nanosecond(time.nanosecond() / 1_000 * 1_000).unwrap_or(time)
}

/// Makes ids: UUIDs of version 7.
pub trait Ids: Send + Sync {
    /// A new id.
    fn new_id(&self) -> Uuid;
}

/// Secure randomness.
pub trait Random: Send + Sync {
    /// Fills the buffer.
    fn fill(&self, bytes: &mut [u8]);
}

/// All ports, handed to every use case.
#[derive(Clone)]
pub struct Ports {
    /// Transactions of one workspace.
    pub store: Arc<dyn Store>,
    /// What crosses workspaces.
    pub directory: Arc<dyn Directory>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// New ids.
    pub ids: Arc<dyn Ids>,
    /// Secure randomness.
    pub random: Arc<dyn Random>,
}

impl std::fmt::Debug for Ports {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Ports")
    }
}

/// Proof that an operator acts: somebody with access to the machine's configuration, through the command line.
#[derive(Debug)]
pub struct Operator(());

impl Operator {
    /// For the command line's `main` alone; no surface that takes requests may call it.
    pub const fn of_this_process() -> Self {
        Self(())
    }
}
