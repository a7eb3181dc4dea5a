//! The storage ports of the domain on Postgres.
//!
//! One file a port of the domain; [`PgStore`] is all that others see of them. A job runs on one blocking thread with one
//! pooled connection in one transaction (`store.rs`).
//!
//! **Invariant**: a `PgTx` is bound to a workspace, and every statement names it; what crosses workspaces is in
//! `directory/`, `queue/` and `mails.rs` alone. Row types and SQL never leave this crate.

#[cfg(test)]
extern crate self as storage_diesel;

mod api_keys;
mod audit;
mod bulk_load;
mod cached_sql;
mod comments;
mod companies;
mod contacts;
mod convert;
mod cycles;
mod deals;
mod deliveries;
mod directory;
mod errors;
mod events;
mod idempotency;
mod issue_batch;
mod issue_tree;
mod issues;
mod kb;
mod kb_forms;
mod kb_reindex;
mod kb_search;
mod lexemes;
mod mails;
mod members;
mod migrations;
mod news;
mod page_query;
#[cfg(test)]
mod plans;
mod pool;
mod projects;
mod queue;
mod quota;
mod references;
mod schema;
mod sessions;
mod store;
mod subscriptions;
mod tickets;
mod tx;
mod workspaces;

pub use bulk_load::BulkLoad;
pub use directory::link_requests::LINK_REQUESTS_DROPPED;
pub use events::ENQUEUE_FAILURES;
pub use mails::{MAILS_DROPPED, MAILS_QUEUED};
pub use migrations::{MigrationError, migrate, pending, revert_all};
pub use news::QueueNews;
pub use pool::{OnQueued, PgOptions};
pub use store::PgStore;
