//! The lock of a workspace: its next holder sees everything that was written under it.

use diesel::sql_types::Uuid as SqlUuid;
use domain::ports::StoreError;
use uuid::Uuid;

use crate::distribution::Class;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// Locks the workspace until the end of the transaction. Other rows can still refer to it.
///
/// Workspaces are a reference table. A statement that reads nothing else would lock it across the whole cluster, so it also reads
/// a table of the same class as the rows in question: then the workspace is locked only on their node.
pub(crate) fn lock_workspace(tx: &mut PgTx<'_>, rows: Class) -> Result<(), StoreError> {
    let sql = lock_query(tx.workspace, rows);
    tx.load::<_, Uuid>(tx.placed(sql)).map(drop)
}

pub(crate) fn lock_query(workspace: Uuid, rows: Class) -> Statement<SqlUuid> {
    let in_cluster = match rows {
        Class::Sharded => Some(sql!(
            "SELECT workspaces.id FROM workspaces, (SELECT count(*) FROM event_sequences WHERE workspace_id = $1) AS here
             WHERE workspaces.id = $1
             FOR NO KEY UPDATE OF workspaces"
        )),
        Class::Local => Some(sql!(
            "SELECT workspaces.id FROM workspaces,
                 (SELECT count(*) FROM (SELECT FROM api_keys WHERE workspace_id = $1 LIMIT 1) AS one) AS here
             WHERE workspaces.id = $1
             FOR NO KEY UPDATE OF workspaces"
        )),
        // Reference tables are changed on all nodes, one transaction at a time.
        Class::Reference => None,
    };
    let sql = sql!("SELECT id FROM workspaces WHERE id = $1 FOR NO KEY UPDATE");
    sql.or_in_cluster(in_cluster).returns().bind(workspace)
}
