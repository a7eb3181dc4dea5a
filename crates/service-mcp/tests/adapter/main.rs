//! Tests of the binary over its standard input and output, against a fake service.
#![expect(clippy::unwrap_used, reason = "a panic is the report")]

mod calls;
mod client;
mod failures;
mod fake_service;
mod handshake;
mod process;
mod secrecy;
mod tls;
mod tools;
