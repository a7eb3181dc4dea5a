//! Helpers for tests and measurements.
//!
//! Without features: the service in its own process, and waiting for it, for any program. With `load`: a small HTTP client
//! and webhook receivers, for `bench` and `attack`. With `app`: databases, and the service in the test process. Every [`App`]
//! has its own database, copied from one migrated template in a throwaway cluster. The test process starts the cluster on first use;
//! the cluster ends with the process, even if it crashes.

#[cfg(feature = "load")]
pub mod load;
pub mod pages;
pub mod program;
#[cfg(feature = "load")]
mod receiver;
pub mod request;
pub mod waiting;

#[cfg(feature = "app")]
mod app;
#[cfg(feature = "app")]
mod databases;

#[cfg(feature = "app")]
pub use app::{
    ApiResponse, App, AppOptions, Browser, Client, MASTER_KEY, Pooled, Samples, Screen, ShiftedClock, Tenant,
    TestInbox, TestUser, compare_example, is_match, pattern_of,
};
#[cfg(feature = "app")]
pub use databases::{Frozen, Replicated, TestDatabase, trust_callers_clock};
#[cfg(feature = "load")]
pub use receiver::{Received, Receiver, Tally};
#[cfg(feature = "app")]
pub use server::SURFACES;
#[cfg(feature = "load")]
pub use waiting::eventually;
