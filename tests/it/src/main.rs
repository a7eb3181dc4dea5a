//! The whole service over real HTTP and a real Postgres, a module an area.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod access;
mod accounts;
mod audit;
mod bulk;
mod comments;
mod contacts;
mod conventions;
mod cycles;
mod deals;
mod everybody;
mod hostile;
mod idempotency;
mod issues;
mod kb;
mod keys;
mod limits;
mod log_ids;
mod members;
mod paging;
mod portal;
mod projects;
mod public_tickets;
mod quota;
mod revocation;
mod settings;
mod smoke;
mod support;
mod support_life;
mod tools;
mod versions;
mod webhook_deliveries;
mod webhook_events;
mod webhook_settings;
mod widget;
mod workspaces;
