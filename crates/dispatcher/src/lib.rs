//! Delivers queued webhooks: claims what is due, signs and sends it, and records what came of it.
//!
//! - [`Dispatcher`] is the whole of it; [`Dispatcher::run`] goes on until it is told to stop.
//! - A [`Notifier`](background::Notifier) tells it at once that something was queued; without one it looks every second.
//! - The rules (schedule, signatures, which targets are allowed) are [`domain::webhooks`]'; the storage is the port
//!   [`DeliveryQueue`](domain::ports::DeliveryQueue).
//!
//! What a receiver can cost others is bounded: see `in_flight.rs` for slots, `connect.rs` for where requests may lead.

mod connect;
mod context;
mod dispatch_loop;
mod error;
mod in_flight;
mod log_fields;
mod maintenance;
mod metrics;
mod options;
mod recorder;
mod request_error;
mod resolver;
mod response;
mod run;
mod send;
mod store_pauses;
#[cfg(test)]
mod tests;

pub use error::DispatcherError;
pub use metrics::{ATTEMPTS, DELIVERIES_CLAIMED, DURATION, LAG, REQUESTS_IN_FLIGHT, UNRECORDED, describe_metrics};
pub use options::DispatcherOptions;
pub use resolver::{NameResolver, ResolveError, SystemResolver};
pub use run::Dispatcher;
