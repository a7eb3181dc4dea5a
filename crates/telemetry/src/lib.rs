//! What operators see of the programs: the ids in log lines, traces, and the listener of probes and metrics.
//!
//! Libraries set the context of lines and record spans. What programs add to that has the feature `program`: the logger, the export
//! of traces and the listener.

#[cfg(feature = "program")]
pub mod admin;
pub mod log_context;
pub mod traces;
