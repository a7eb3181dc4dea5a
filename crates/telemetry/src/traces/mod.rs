//! OpenTelemetry traces: a span for each request, for each database job of a request, and for each attempt at a webhook.
//!
//! Nothing is recorded until a program calls `install`, which needs the feature `program`. The current span travels with the
//! [`Context`](crate::log_context::Context) of log lines, so that they show its trace.

#[cfg(feature = "program")]
mod export;
mod parent;
mod spans;

#[cfg(feature = "program")]
pub use export::{Export, ExportError, check, install};
pub use spans::{RequestOutcome, RequestSpan, record_delivery, record_job};
