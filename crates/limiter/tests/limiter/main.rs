//! One suite for both limiters, and the failure modes of Redis.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod outages;
mod sharing;
mod suite;
mod support;
mod writes;
