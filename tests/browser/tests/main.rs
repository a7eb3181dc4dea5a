//! Tests of pages in a real Chromium, one module per area.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod every_page;
mod connection;
mod deals;
mod first_steps;
mod keyboard;
mod keys;
mod kit_itself;
mod knowledge_base;
mod pages_today;
mod pictures;
mod people;
mod records;
mod settings;
mod signing_in;
mod tickets;
mod webhooks;
mod work;
