//! The binary with nothing configured.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod backups;
mod command_line;
mod emails;
mod exposition;
mod observability;
mod operators;
mod pooler;
mod secrets;
mod slow_smtp;
mod starts;
mod support;
mod transfers;
