//! The domain's storage ports on Postgres.
//!
//! One file per port of the domain; [`PgStore`] is the public type. A job runs on one blocking thread with one pooled
//! connection in one transaction (`engine/store.rs`).
//!
//! **Invariant**: a `PgTx` is bound to a workspace, and every statement filters by it. Only `directory/`,
//! `webhooks/queue/` and `email/queue.rs` cross workspaces. Row types and SQL never leave this crate.

#[cfg(test)]
extern crate self as storage_diesel;

mod backup;
mod bulk_load;
mod console;
mod crm;
mod directory;
mod distribution;
mod email;
mod engine;
mod events;
mod identity;
mod inspection;
mod kernel;
mod kinds;
mod limits;
mod migrations;
#[cfg(test)]
mod plans;
mod privileges;
mod records;
mod resealing;
mod rows;
mod schema;
mod support;
mod transfer;
mod tx_port;
mod webhooks;
mod work;

pub use backup::{Snapshot, mark_restore, restore_is_unfinished, tables};
pub use bulk_load::BulkLoad;
pub use directory::queue_depths::{DeliveryDepth, EmailDepth, MAX_COUNTED, QueueDepths};
pub use distribution::{
    CLASSES, Class, DistributeError, Distributed, LOOK_UPS, distribute, distribution_is_unfinished,
};
pub use email::enqueue::{EMAIL_DROP_REASONS, EMAILS_DROPPED};
pub use engine::disk::DiskState;
pub use engine::notify_listener::{Listening, NotifyListener};
pub use engine::placement::DISTRIBUTION_UNFINISHED;
pub use engine::pool::{ACQUIRE_TIMEOUT_MS, OnEvents, OnQueued, PgOptions, half_of_the_cores, with_short_timeouts};
pub use engine::replicas::{MAX_REPLICAS, ReplicaError, replica_lag};
pub use engine::sessions::{SessionError, Sessions};
pub use engine::store::PgStore;
pub use engine::store_metrics::{EMAILS_QUEUED, ENQUEUE_FAILURES, LINK_REQUESTS_DROPPED, describe_metrics};
pub use inspection::{
    ServerFacts, SharedAddress, SharedAddresses, WalArchive, counting_alone, is_same_database, largest_event_logs,
    last_backup, mark_backup, server_facts, shared_addresses, wal_archive, wider_keys,
};
pub use migrations::{MigrationError, SchemaState, known_versions, migrate, pending, revert_all, schema_state, secure};
pub use privileges::{GrantError, Privileges, grant, privileges, serving_roles};
pub use resealing::{Resealed, reseal, sealed_counts, sealing_keys};

/// Whether libpq can encrypt connections: the system's can, the bundled one cannot.
pub const LIBPQ_HAS_TLS: bool = !cfg!(feature = "bundled-libpq");
