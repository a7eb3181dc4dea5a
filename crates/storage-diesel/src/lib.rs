//! The domain's storage ports on Postgres.
//!
//! One file per port of the domain; [`PgStore`] is the public type. A job runs on one blocking thread with one pooled
//! connection in one transaction (`store.rs`).
//!
//! **Invariant**: a `PgTx` is bound to a workspace, and every statement filters by it. Only `directory/`,
//! `webhooks/queue/` and `email/queue.rs` cross workspaces. Row types and SQL never leave this crate.

#[cfg(test)]
extern crate self as storage_diesel;

mod attempt;
mod backup;
mod bulk_load;
mod columns;
mod console;
mod convert;
mod crm;
mod deleted;
mod directory;
mod disk;
mod distribution;
mod email;
mod errors;
mod events;
mod gate;
mod gated;
mod identity;
mod insertion;
mod inspection;
mod kernel;
mod limits;
mod loaded_texts;
mod migrations;
mod notify_listener;
mod page_query;
mod pending;
#[cfg(test)]
mod plans;
mod pool;
mod priority;
mod privileges;
mod replicas;
mod resealing;
mod rows;
mod schema;
mod sending;
mod sessions;
mod statement;
mod store;
mod store_metrics;
mod summary;
mod support;
mod threads;
mod transfer;
mod tx;
mod tx_port;
mod webhooks;
mod work;

pub use backup::{Snapshot, mark_restore, restore_is_unfinished, tables};
pub use bulk_load::BulkLoad;
pub use directory::link_requests::LINK_REQUESTS_DROPPED;
pub use directory::queue_depths::{DeliveryDepth, EmailDepth, MAX_COUNTED, QueueDepths};
pub use disk::DiskState;
pub use distribution::{
    CLASSES, Class, DISTRIBUTION_UNFINISHED, DistributeError, Distributed, LOOK_UPS, distribute,
    distribution_is_unfinished,
};
pub use email::enqueue::{EMAIL_DROP_REASONS, EMAILS_DROPPED};
pub use email::queue::EMAILS_QUEUED;
pub use events::append::ENQUEUE_FAILURES;
pub use inspection::{
    ServerFacts, SharedAddress, SharedAddresses, WalArchive, counting_alone, is_same_database, largest_event_logs,
    last_backup, mark_backup, server_facts, shared_addresses, wal_archive, wider_keys,
};
pub use migrations::{MigrationError, SchemaState, known_versions, migrate, pending, revert_all, schema_state, secure};
pub use notify_listener::{Listening, NotifyListener};
pub use pool::{ACQUIRE_TIMEOUT_MS, OnEvents, OnQueued, PgOptions, half_of_the_cores, with_short_timeouts};
pub use privileges::{GrantError, Privileges, grant, privileges, serving_roles};
pub use replicas::{MAX_REPLICAS, ReplicaError, replica_lag};
pub use resealing::{Resealed, reseal, sealed_counts, sealing_keys};
pub use sessions::{SessionError, Sessions};
pub use store::PgStore;
pub use store_metrics::describe_metrics;

/// Whether connections can be encrypted by libpq itself: the system's can, and the compiled-in one cannot.
pub const LIBPQ_HAS_TLS: bool = !cfg!(feature = "bundled-libpq");
