//! One suite for both limiters, and tests of what happens when Redis fails.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod outages;
mod sharing;
mod suite;
mod support;
mod writes;
