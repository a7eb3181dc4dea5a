//! The binary with nothing configured.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod letters;
mod operators;
mod secrets;
mod slow_mail;
mod starts;
mod support;
