//! Traces in OpenTelemetry: a span for each request, each job of the database on its behalf, and each attempt at a webhook.
//!
//! Nothing is recorded until a program has called `install`, which the feature `program` has. The current span travels with the
//! [`Context`](crate::log_context::Context) of log lines, which show its trace.

#[cfg(feature = "program")]
mod export;
mod parent;
mod spans;

#[cfg(feature = "program")]
pub use export::{Export, ExportError, check, install};
pub use spans::{Answered, RequestSpan, record_delivery, record_job};
