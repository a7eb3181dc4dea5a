//! What operators see of the programs: ids in log lines, traces, and the listener for probes and metrics.
//!
//! Libraries set the context of log lines and record spans. The feature `program` adds what only programs need: the logger, the
//! export of traces and the listener.

#[cfg(feature = "program")]
pub mod admin;
pub mod log_context;
pub mod traces;
