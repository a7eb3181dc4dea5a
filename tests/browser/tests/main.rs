//! Tests of pages in a real Chromium, one module per area. `.ci/run` leaves the [`journeys`] to `.ci/full`.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod connection;
mod deals;
mod imports;
mod journeys;
mod keyboard;
mod kit_itself;
mod people;
mod records;
mod signing_in;
mod tickets;
