//! Tests of pages in a real Chromium, one module per area. Only `.ci/full` runs [`journeys`] and [`kit_itself`].
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod answers;
mod deals;
mod imports;
mod journeys;
mod kit_itself;
mod people;
mod signing_in;
mod tickets;
