//! The REST surface over the use cases of `domain`.
//!
//! A request passes [`middleware`](self) (its id, its log line, what is left of its body), then the operation that its
//! route and method name. [`OPERATIONS`] is the one table of them: routes are registered from it. An operation gets a
//! call that has passed every check in the contract's order, so a handler can forget none.

mod admission;
mod app;
mod body;
mod call;
mod client_address;
mod conditions;
mod credential;
mod endpoint;
mod errors;
mod exchange;
mod idempotency;
mod media_type;
mod middleware;
mod operation;
mod path;
mod query;
mod reply;
mod routes;
mod serve;
#[cfg(test)]
mod tests;

pub use app::{AppState, HttpSettings, MetricsPage, configure};
pub use client_address::{BadProxy, TrustedProxies};
pub use middleware::describe_metrics;
pub use operation::{OPERATIONS, Operation};
pub use serve::serve;
