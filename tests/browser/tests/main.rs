//! Tests of pages in a real Chromium, one module per area. `.ci/run` leaves [`journeys`] and [`kit_itself`] to `.ci/full`.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod answers;
mod deals;
mod imports;
mod journeys;
mod kit_itself;
mod people;
mod signing_in;
mod tickets;
