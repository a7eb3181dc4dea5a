//! Helpers for tests and measurements.
//!
//! - Without features: starts the service in its own process, and waits until it is ready.
//! - `load`: a small HTTP client and webhook receivers, for `bench` and `attack`.
//! - `app`: the service in the test process. Every [`App`] has its own [`TestDatabase`].

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
mod replicated;

#[cfg(feature = "app")]
pub use app::{
    ApiResponse, App, AppOptions, Browser, Client, MASTER_KEY, Pooled, Samples, Screen, ShiftedClock, SimpleKind,
    Tenant, TestInbox, TestUser, assert_members, compare_example, is_match, pattern_of, simple_kinds,
};
#[cfg(feature = "load")]
pub use receiver::{Received, Receiver, Tally};
#[cfg(feature = "app")]
pub use replicated::{Frozen, Replicated};
#[cfg(feature = "app")]
pub use server::SURFACES;
#[cfg(feature = "app")]
pub use test_databases::{TestDatabase, trust_callers_clock};
#[cfg(feature = "load")]
pub use waiting::eventually;
