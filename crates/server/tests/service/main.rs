//! The binary with nothing configured.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

#[expect(dead_code, reason = "the tests of the worker use all of it")]
mod certificates;
mod exposition;
mod letters;
#[expect(dead_code, reason = "the tests of the worker use the rest")]
mod mail_server;
mod observability;
mod operators;
mod secrets;
mod slow_mail;
mod starts;
mod support;
