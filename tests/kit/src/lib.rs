//! Starts a database and the service for tests, and clients named after their permissions.
//!
//! Every [`App`] has its own database, copied from one migrated template in a throwaway cluster. The test process
//! starts the cluster on first use; the cluster ends with the process, even if it crashes.

mod app;
mod browser;
mod client;
mod clock;
mod contract;
mod database;
mod eventually;
mod inbox;
mod nodes;
mod queue;
mod receiver;
mod replicated;
mod samples;
mod tenant;

pub use app::{App, AppOptions, MASTER_KEY, Pooled};
pub use browser::{Browser, Screen};
pub use client::{ApiResponse, Client};
pub use clock::ShiftedClock;
pub use contract::{compare_example, is_match, pattern_of};
pub use database::{TestDatabase, trust_callers_clock};
pub use eventually::eventually;
pub use inbox::TestInbox;
pub use receiver::{Received, Receiver};
pub use replicated::{Frozen, Replicated};
pub use samples::Samples;
pub use server::SURFACES;
pub use tenant::{Tenant, TestUser};
