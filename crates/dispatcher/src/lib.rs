//! Delivers queued webhooks: claims what is due, signs and sends it, and records what came of it.
//!
//! - [`Dispatcher`] is the whole of it; [`Dispatcher::run`] goes on until it is told to stop.
//! - A [`Notifier`](background::Notifier) tells it at once that something was queued; without one it looks every second.
//! - The rules (schedule, signatures, which targets are allowed) are [`domain::webhooks`]'; the storage is the port
//!   [`DeliveryQueue`](domain::ports::DeliveryQueue).
//!
//! What a receiver can cost others is bounded: see `hand.rs` for slots, `connect.rs` for where requests may lead.

mod answer;
mod chores;
mod connect;
mod context;
mod error;
mod failure;
mod hand;
mod log_fields;
mod metrics;
mod names;
mod options;
mod recorder;
mod run;
mod send;
mod store_pauses;
#[cfg(test)]
mod tests;
mod work;

pub use error::DispatcherError;
pub use metrics::{ATTEMPTS, DURATION, IN_HAND, LAG, RUNNING, UNRECORDED, describe_metrics};
pub use names::{NameError, Names, SystemNames};
pub use options::DispatcherOptions;
pub use run::Dispatcher;
