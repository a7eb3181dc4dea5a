//! What tests and measurements share.
//!
//! Without a feature, what any program can use: the service in its own process, and waiting for it. With `load`, a small HTTP client
//! and receivers of webhooks, for `bench` and `attack`. With `app`, the service in the process of a test: every [`App`] has its own
//! [`TestDatabase`].

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
    ApiResponse, App, AppOptions, Browser, Client, MASTER_KEY, Pooled, Samples, Screen, ShiftedClock, Tenant,
    TestInbox, TestUser, compare_example, is_match, pattern_of,
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
