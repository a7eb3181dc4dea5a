//! The request pipeline that every surface shares.
//!
//! A request passes the middleware (request id, log line, the unread rest of the body), then the operation of its route
//! and method. A surface is a table of operations and pages, [`Routes`]; the composition root passes the tables of all
//! surfaces to [`serve`]. An operation is an [`Endpoint`](endpoint::Endpoint): its handler only sees requests that have
//! passed every check, in the order of interface 2.7. Where that does not fit, [`Operation::raw`] takes a handler that
//! runs the same checks itself.

pub mod admission;
mod answers;
pub mod body;
mod client_address;
pub mod conditions;
mod connections;
mod credential;
pub mod cross_origin;
pub mod customer_auth;
mod data;
mod declare;
mod describe;
pub mod description;
pub mod endpoint;
pub mod errors;
pub mod event_stream;
mod final_response;
mod guards;
mod health;
pub mod held;
pub mod idempotency;
mod limit_policy;
mod media_type;
mod middleware;
mod operation;
mod page_pace;
pub mod path;
mod per_second;
mod projected;
pub mod query;
mod refusal_log;
mod refusal_pace;
mod renderer;
mod rendering;
pub mod request_context;
pub mod responses;
mod routes;
mod security_headers;
mod serve;
mod settings;
mod state;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod workspace_address;

pub use answers::AnswerLimits;
pub use client_address::{InvalidProxy, TrustedProxies};
pub use endpoint::ResponseFuture;
pub use health::readiness;
pub use limit_policy::LimitPolicy;
pub use middleware::describe_metrics;
pub use operation::{Handler, Operation, joined, length};
pub use renderer::Renderer;
pub use routes::{Page, Routes, configure, operations};
pub use serve::serve;
pub use settings::HttpSettings;
pub use state::{AppState, MetricsPage};
