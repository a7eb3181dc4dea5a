//! Traces in OpenTelemetry: a span for each request, each job of the database on its behalf, and each attempt at a webhook.
//!
//! Nothing is recorded until a program has called `install`, which the feature `export` has. The current span travels with the
//! [`Context`](log_context::Context) of log lines, which show its trace.

#[cfg(feature = "export")]
mod export;
mod parent;
mod spans;

#[cfg(feature = "export")]
pub use export::{Export, ExportError, check, install};
pub use spans::{Answered, RequestSpan, record_delivery, record_job};
