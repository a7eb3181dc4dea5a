//! Where the rows of each table are stored in a Citus cluster, and the command that moves them there (adr/0034).
//!
//! Without Citus this changes nothing: all tables are ordinary ones.

mod cluster;
mod keys;
mod locking;
mod steps;

use domain::ports::StoreError;

pub(crate) use locking::{Locking, locking_sql};
pub use steps::{DistributeError, Distributed, distribute};

use crate::engine::errors::store_error;
use crate::engine::placement::keys_are_dropped;
use crate::engine::pool::connect;
use crate::kinds::TABLES;

/// Where the rows of a table are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// In shards by `workspace_id`: all rows of a workspace are on one node, which checks the foreign keys between them.
    Sharded,
    /// On every node: read together with the rows of any workspace, and rarely changed.
    Reference,
    /// Only on the coordinator: looked up without a workspace, or counted across workspaces.
    Local,
}

/// Whether the tables are being distributed, or the command was interrupted.
pub fn distribution_is_unfinished(database_url: &str) -> Result<bool, StoreError> {
    let mut connection = connect(database_url)?;
    keys_are_dropped(&mut connection).map_err(store_error)
}

/// A table with foreign keys to a reference table cannot be changed on all shards in parallel within one transaction. Triggers
/// are unsafe if they touch rows of other shards; those of the schema touch only rows of the same workspace.
pub(crate) const SEQUENTIAL_SHARDS: &str =
    "SET LOCAL citus.multi_shard_modify_mode = 'sequential'; SET LOCAL citus.enable_unsafe_triggers = on";

use Class::{Local, Reference, Sharded};

/// The class of every table, in the order in which they are distributed: referenced tables come first. Partitions have the
/// class of their table.
pub const CLASSES: &[(&str, Class)] = &classes();

const fn classes() -> [(&'static str, Class); FIRST.len() + TABLES.len() + OTHERS.len()] {
    let mut classes = [("", Sharded); FIRST.len() + TABLES.len() + OTHERS.len()];
    let mut index = 0;
    while index < classes.len() {
        classes[index] = if index < FIRST.len() {
            FIRST[index]
        } else if index < FIRST.len() + TABLES.len() {
            (TABLES[index - FIRST.len()].name, Sharded)
        } else {
            OTHERS[index - FIRST.len() - TABLES.len()]
        };
        index += 1;
    }
    classes
}

/// Tables that come before those of the kinds of records.
const FIRST: &[(&str, Class)] = &[
    ("__diesel_schema_migrations", Reference),
    ("schema_functions", Reference),
    ("workspaces", Reference),
    ("users", Reference),
    ("members", Reference),
    // Few rows; read together with erased rows, on any node.
    ("person_erasures", Reference),
    ("person_erasure_records", Reference),
];

/// Tables that come after them.
const OTHERS: &[(&str, Class)] = &[
    ("deal_totals", Sharded),
    ("deal_total_changes", Sharded),
    ("issue_counters", Sharded),
    ("cascades", Sharded),
    ("cycle_history", Sharded),
    ("time_rates", Sharded),
    ("comments", Sharded),
    ("record_comments", Sharded),
    ("drafts", Sharded),
    ("ticket_reads", Sharded),
    ("tracking_links", Sharded),
    ("portal_sessions", Sharded),
    ("kb_vain_searches", Sharded),
    ("crm_quota", Sharded),
    ("crm_quota_blocks", Sharded),
    ("idempotency_keys", Sharded),
    ("idempotency_bytes", Sharded),
    ("audit_log", Sharded),
    ("events", Sharded),
    ("events_unnumbered", Sharded),
    ("event_positions", Sharded),
    ("event_chunks", Sharded),
    ("event_sequences", Sharded),
    ("webhook_subscriptions", Sharded),
    ("webhook_deliveries", Sharded),
    ("webhook_attempts", Sharded),
    ("webhook_replays", Sharded),
    ("webhook_backlog", Sharded),
    ("api_keys", Local),
    ("sessions", Local),
    ("invitations", Local),
    ("password_resets", Local),
    ("second_factors", Local),
    ("sign_in_challenges", Local),
    ("sign_in_links", Local),
    ("sign_ins", Local),
    ("set_up_codes", Local),
    ("credential_changes", Local),
    ("link_requests", Local),
    ("request_counts", Local),
    ("demo_workspaces", Local),
    ("last_backup", Local),
    ("search_walks", Local),
    ("presences", Local),
    ("audit_counts", Local),
    ("saved_views", Local),
    ("console_undos", Local),
    ("imports", Local),
    ("import_refusals", Local),
    ("import_records", Local),
    ("mails", Local),
    ("mail_parts", Local),
    ("mail_hours", Local),
    ("mail_recipients", Local),
];

/// Unique indexes of sharded tables for look-ups without a workspace. In a cluster the workspace is part of them; the values are
/// still unique across workspaces, because they are random.
pub const LOOK_UPS: &[(&str, &str)] =
    &[("tracking_links", "tracking_links_lookup_id_key"), ("portal_sessions", "portal_sessions_lookup_id_key")];
