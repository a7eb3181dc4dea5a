//! Files in every dialect, as the command line and the browser read them.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod browser;
mod cases;
mod dialects;
mod exact;
mod grammar;
mod read;
