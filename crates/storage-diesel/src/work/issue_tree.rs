//! Issue numbers, and the relations of issues to each other and to cycles.

use diesel::sql_types::{BigInt, Bool, Text, Uuid as SqlUuid};
use domain::kernel::IssueKind;
use domain::ports::StoreError;
use domain::work::issues::Relation;
use domain::{CycleId, IssueId, ProjectId};
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::statement::sql;
use crate::engine::tx::{PgTx, TxMode};

/// In autocommit mode the statement commits asynchronously: the commit that uses the number comes later in the same log, and
/// a number lost in a crash is only a gap. In a transaction the setting would last until its end, so it is not used.
pub(crate) fn reserve_numbers(tx: &mut PgTx<'_>, kind: IssueKind, count: u32) -> Result<i64, StoreError> {
    let sql = match tx.mode {
        // Reading the CTE applies the setting. In a cluster, the rows of a SELECT would go through the coordinating node.
        TxMode::Autocommit if !tx.is_cluster => sql!(
            "WITH fast AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS setting)
             INSERT INTO issue_counters AS counter (workspace_id, kind, next_number)
             SELECT $1, $2, 1 + $3 FROM fast WHERE fast.setting = 'off'
             ON CONFLICT (workspace_id, kind) DO UPDATE SET next_number = counter.next_number + $3
             RETURNING counter.next_number - $3"
        ),
        TxMode::Transaction | TxMode::Autocommit => sql!(
            "INSERT INTO issue_counters AS counter (workspace_id, kind, next_number) VALUES ($1, $2, 1 + $3)
             ON CONFLICT (workspace_id, kind) DO UPDATE SET next_number = counter.next_number + $3
             RETURNING counter.next_number - $3"
        ),
    };
    tx.value(sql.returns::<BigInt>().bind(tx.workspace).bind(kind.as_str()).bind(i64::from(count)))
}

/// One lock per workspace, held until the transaction ends. Reading a table of the workspace takes it on the node of the
/// workspace's rows, so that in a cluster all instances wait for each other, whichever node they connect to. The count returns a
/// row even if the table has none.
pub(crate) fn lock_hierarchy(tx: &mut PgTx<'_>) -> Result<(), StoreError> {
    let sql = sql!(
        "SELECT pg_advisory_xact_lock(hashtextextended('issues above issues ' || $1::uuid::text, 0)) IS NOT NULL
         FROM (SELECT count(*) FROM issue_counters WHERE workspace_id = $1) AS here"
    );
    tx.value::<_, bool>(sql.returns::<Bool>().bind(tx.workspace)).map(drop)
}

/// The domain prevents loops; the path ends the recursion if one exists anyway. The CYCLE clause is not used, because Citus
/// generates ambiguous names for it.
macro_rules! ancestors_sql {
    ($column:literal) => {
        sql!(
            "WITH RECURSIVE above (id, next_id, path) AS (
                 SELECT id, {column}, ARRAY[id] FROM issues WHERE workspace_id = $1 AND id = $2
                 UNION ALL
                 SELECT issues.id, issues.{column}, above.path || issues.id
                 FROM above JOIN issues ON issues.id = above.next_id AND issues.workspace_id = $1
                 WHERE issues.id <> ALL (above.path)
             )
             SELECT id FROM above ORDER BY cardinality(path)",
            column = $column
        )
    };
}

/// Includes deleted issues: their descendants still point to them.
pub(crate) fn ancestors(tx: &mut PgTx<'_>, id: IssueId, relation: Relation) -> Result<Vec<IssueId>, StoreError> {
    let sql = match relation {
        Relation::Parent => ancestors_sql!("parent_id"),
        Relation::Epic => ancestors_sql!("epic_id"),
    };
    let ids: Vec<Uuid> = tx.load(sql.returns::<SqlUuid>().bind(tx.workspace).bind(id.0))?;
    Ok(ids.into_iter().map(IssueId).collect())
}

/// Reads a column of a live row. In a transaction it takes the lock of foreign keys; in autocommit mode a lock would end at once
/// and only cost a write.
macro_rules! of_live_row {
    ($tx:expr, $column:literal, $table:literal) => {
        match $tx.mode {
            TxMode::Transaction => sql!(
                "SELECT {column} FROM {table} WHERE workspace_id = $1 AND id = $2 AND num_nonnulls(deleted_at) = 0 FOR KEY SHARE",
                column = $column,
                table = $table
            ),
            TxMode::Autocommit => sql!(
                "SELECT {column} FROM {table} WHERE workspace_id = $1 AND id = $2 AND num_nonnulls(deleted_at) = 0",
                column = $column,
                table = $table
            ),
        }
        .bind($tx.workspace)
    };
}

/// Blocks deletion of the cycle until the transaction ends, because an issue is about to refer to it.
pub(crate) fn project_of_cycle(tx: &mut PgTx<'_>, id: CycleId) -> Result<Option<ProjectId>, StoreError> {
    let sql = of_live_row!(tx, "project_id", "cycles").returns::<SqlUuid>();
    Ok(tx.first::<_, Uuid>(sql.bind(id.0))?.map(ProjectId))
}

/// Blocks deletion of the issue in the same way.
pub(crate) fn kind_of(tx: &mut PgTx<'_>, id: IssueId) -> Result<Option<IssueKind>, StoreError> {
    let sql = of_live_row!(tx, "kind", "issues").returns::<Text>();
    let kind: Option<String> = tx.first(sql.bind(id.0))?;
    kind.map(|kind| convert::parse_stored(&kind, IssueKind::parse)).transpose()
}
