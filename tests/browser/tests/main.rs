//! Tests of pages in a real Chromium, one module per area.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod connection;
mod deals;
mod documentation;
mod every_page;
mod first_steps;
mod imports;
mod keyboard;
mod keys;
mod kit_itself;
mod knowledge_base;
mod pages_today;
mod people;
mod pictures;
mod records;
mod settings;
mod signing_in;
mod tickets;
mod webhooks;
mod widget;
mod work;
