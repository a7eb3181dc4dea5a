//! CSV files in every dialect, read by the command line and by the browser.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod browser;
mod cases;
mod dialects;
mod exact;
mod grammar;
mod read;
