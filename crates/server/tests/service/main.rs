//! The binary with nothing configured.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod exposition;
mod letters;
mod observability;
mod operators;
mod secrets;
mod slow_mail;
mod starts;
mod support;
