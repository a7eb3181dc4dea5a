//! The binary with nothing configured.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod letters;
mod mail_server;
mod operators;
mod secrets;
mod starts;
mod support;
