//! Numbers of issues, and how they stand to each other and to cycles.

use diesel::sql_types::{BigInt, Bool, Text, Uuid as SqlUuid};
use domain::kernel::IssueKind;
use domain::ports::StoreError;
use domain::work::issues::Relation;
use domain::{CycleId, IssueId, ProjectId};
use uuid::Uuid;

use crate::cached_sql::CachedSql;
use crate::convert;
use crate::tx::{PgTx, TxMode};

/// By itself the statement commits asynchronously: the commit that uses the number comes later in the same log, and a
/// number lost in a crash is a gap. Within a transaction the setting would last to its end, so it is left alone there.
pub(crate) fn reserve_number(tx: &mut PgTx<'_>, kind: IssueKind) -> Result<i64, StoreError> {
    let sql = CachedSql::<BigInt>::new(match tx.mode {
        TxMode::Autocommit => {
            "WITH fast AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS setting) \
             INSERT INTO issue_counters AS counter (workspace_id, kind, next_number) \
             SELECT wanted.*, 2 FROM fast CROSS JOIN (VALUES ("
        }
        TxMode::Transaction => {
            "INSERT INTO issue_counters AS counter (workspace_id, kind, next_number) \
             SELECT wanted.*, 2 FROM (VALUES ("
        }
    });
    let sql = sql.bind::<SqlUuid, _>(tx.workspace).text(", ").bind::<Text, _>(kind.as_str());
    let sql = sql.text(")) AS wanted").text(match tx.mode {
        // The setting is made by reading it.
        TxMode::Autocommit => " WHERE fast.setting = 'off'",
        TxMode::Transaction => "",
    });
    tx.value(sql.text(
        " ON CONFLICT (workspace_id, kind) DO UPDATE SET next_number = counter.next_number + 1 \
         RETURNING counter.next_number - 1",
    ))
}

/// One lock a workspace, held until the transaction ends.
pub(crate) fn lock_hierarchy(tx: &mut PgTx<'_>) -> Result<(), StoreError> {
    let sql = CachedSql::<Bool>::new("SELECT pg_advisory_xact_lock(hashtextextended('issues above issues ' || ")
        .bind::<SqlUuid, _>(tx.workspace)
        .text("::text, 0)) IS NOT NULL");
    tx.value::<_, bool>(sql).map(drop)
}

/// Deleted issues count: what stands below them still points to them.
pub(crate) fn ancestors(tx: &mut PgTx<'_>, id: IssueId, relation: Relation) -> Result<Vec<IssueId>, StoreError> {
    let column = match relation {
        Relation::Parent => "parent_id",
        Relation::Epic => "epic_id",
    };
    let sql = CachedSql::<SqlUuid>::new("WITH RECURSIVE above (id, next_id, steps) AS (SELECT id, ")
        .text(column)
        .text(", 0 FROM issues WHERE workspace_id = ")
        .bind::<SqlUuid, _>(tx.workspace)
        .text(" AND id = ")
        .bind::<SqlUuid, _>(id.0)
        .text(" UNION ALL SELECT issues.id, issues.")
        .text(column)
        .text(", above.steps + 1 FROM above JOIN issues ON issues.id = above.next_id AND issues.workspace_id = ")
        .bind::<SqlUuid, _>(tx.workspace)
        // The domain lets no loop come about; if there is one all the same, this ends.
        .text(") CYCLE id SET looped USING path SELECT id FROM above WHERE NOT looped ORDER BY steps");
    let ids: Vec<Uuid> = tx.load(sql)?;
    Ok(ids.into_iter().map(IssueId).collect())
}

/// Keeps the cycle from being deleted until the transaction ends, since an issue is about to refer to it.
pub(crate) fn project_of_cycle(tx: &mut PgTx<'_>, id: CycleId) -> Result<Option<ProjectId>, StoreError> {
    let sql = CachedSql::<SqlUuid>::new("SELECT project_id FROM cycles WHERE workspace_id = ");
    Ok(tx.first::<_, Uuid>(live(sql, tx, id.0))?.map(ProjectId))
}

/// Keeps the issue from being deleted likewise.
pub(crate) fn kind_of(tx: &mut PgTx<'_>, id: IssueId) -> Result<Option<IssueKind>, StoreError> {
    let sql = CachedSql::<Text>::new("SELECT kind FROM issues WHERE workspace_id = ");
    let kind: Option<String> = tx.first(live(sql, tx, id.0))?;
    kind.map(|kind| convert::parse_stored(&kind, IssueKind::parse)).transpose()
}

fn live<ST>(sql: CachedSql<ST>, tx: &PgTx<'_>, id: Uuid) -> CachedSql<ST> {
    let sql = sql.bind::<SqlUuid, _>(tx.workspace).text(" AND id = ").bind::<SqlUuid, _>(id);
    sql.text(match tx.mode {
        TxMode::Transaction => " AND deleted_at IS NULL FOR KEY SHARE",
        // By itself a lock would end at once, and only cost a write.
        TxMode::Autocommit => " AND deleted_at IS NULL",
    })
}
