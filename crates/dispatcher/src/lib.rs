//! Delivers queued webhooks: claims due deliveries, signs and sends them, and records the outcome.
//!
//! - [`Dispatcher`] is the entry point; [`Dispatcher::run`] runs until it is stopped.
//! - A [`Notifier`](background::Notifier) wakes it when a delivery is queued; it also polls every second as a fallback.
//! - The rules (schedule, signatures, allowed targets) are in [`domain::webhooks`]; the storage is the port
//!   [`DeliveryQueue`](domain::ports::DeliveryQueue).
//!
//! Receivers are isolated from each other: see `in_flight.rs` for slots, `connect.rs` for the SSRF guard.

mod cli;
mod connect;
mod context;
mod dispatch_loop;
mod error;
mod in_flight;
mod log_fields;
mod maintenance;
mod metrics;
mod options;
mod pace;
mod recorder;
mod request_error;
mod resolver;
mod response;
mod run;
mod send;
#[cfg(test)]
mod tests;
mod unclaimable;

pub use cli::Cli;
pub use error::DispatcherError;
pub use metrics::{
    ATTEMPTS, DELIVERIES_CLAIMED, DURATION, LAG, REPLAYED, REQUESTS_IN_FLIGHT, UNRECORDED, describe_metrics,
};
pub use options::{DispatcherOptions, POLL_INTERVAL_WITHOUT_NOTIFY};
pub use resolver::{NameResolver, ResolveError, SystemResolver};
pub use run::Dispatcher;
