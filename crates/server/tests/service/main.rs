//! The binary with nothing configured.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod command_line;
mod emails;
mod exposition;
mod observability;
mod operators;
mod secrets;
mod slow_smtp;
mod starts;
mod support;
