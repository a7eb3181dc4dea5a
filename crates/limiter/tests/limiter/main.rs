//! Both limiters by one suite, and the one on Redis through the ways a Redis can fail.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod outages;
mod sharing;
mod suite;
mod support;
