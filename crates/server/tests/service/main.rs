//! The binary with nothing configured.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

#[expect(dead_code, reason = "the tests of the worker use all of it")]
mod certificates;
mod emails;
#[expect(dead_code, reason = "the tests of the worker use the rest")]
mod mail_server;
mod operators;
mod secrets;
mod slow_smtp;
mod starts;
mod support;
