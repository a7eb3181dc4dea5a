//! Tests of pages in a real Chromium, one module per area.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod every_page;
mod kit_itself;
mod pages_today;
mod pictures;
