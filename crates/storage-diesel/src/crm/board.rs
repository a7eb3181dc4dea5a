//! The totals of the deal board, maintained by a trigger: `deal_totals`, and changes that are still to be added to it.

use bigdecimal::BigDecimal;
use diesel::sql_types::{BigInt, Numeric, Text, Uuid as SqlUuid};
use domain::crm::deals::BoardPart;
use domain::ports::StoreError;
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::rows::Column;

/// How many changes are added up when the totals are read; folding keeps them far below. Changes beyond that show up once
/// they are folded.
const MAX_CHANGES: u32 = 20_000;

/// How many workspaces of a cluster are folded in one run.
const MAX_WORKSPACES: u32 = 100;

/// In one statement, so that a change counts exactly once: either before or after it is folded.
pub(crate) fn totals_query(workspace: Uuid) -> Statement<(Text, Text, Text, BigInt, Numeric)> {
    let sql = sql!(
        "SELECT stage, status, currency, sum(deals)::bigint, sum(value) FROM (
             SELECT stage, status, currency, deals, value FROM deal_totals WHERE workspace_id = $1
             UNION ALL (
                 SELECT stage, status, currency, deals, value FROM deal_total_changes WHERE workspace_id = $1
                 ORDER BY id LIMIT {MAX_CHANGES}
             )
         ) AS parts
         GROUP BY stage, status, currency HAVING sum(deals) > 0 ORDER BY currency, stage, status"
    );
    sql.returns().bind(workspace)
}

/// Moves changes into the totals and returns how many. Rows of totals are locked in one order, so that concurrent folds
/// cannot deadlock.
pub(crate) fn fold_query(limit: u32) -> Statement<BigInt> {
    let sql = sql!(
        "WITH taken AS (
             DELETE FROM deal_total_changes WHERE ctid = ANY (ARRAY(
                 SELECT ctid FROM deal_total_changes ORDER BY workspace_id, id LIMIT $1 FOR UPDATE SKIP LOCKED
             ))
             RETURNING workspace_id, stage, status, currency, deals, value
         ), folded AS (
             INSERT INTO deal_totals AS total (workspace_id, stage, status, currency, deals, value)
                 SELECT workspace_id, stage, status, currency, sum(deals), sum(value) FROM taken
                 GROUP BY workspace_id, stage, status, currency ORDER BY workspace_id, stage, status, currency
             ON CONFLICT (workspace_id, stage, status, currency)
                 DO UPDATE SET deals = total.deals + excluded.deals, value = total.value + excluded.value
         )
         SELECT count(*) FROM taken"
    );
    sql.returns().bind(i64::from(limit))
}

/// Folds at most `limit` changes, in a cluster per workspace; returns how many.
pub(crate) fn fold(tx: &mut PgTx<'_>, limit: u32) -> Result<u64, StoreError> {
    if !tx.is_cluster {
        return Ok(tx.value::<_, i64>(fold_query(limit))?.unsigned_abs());
    }
    let sql = sql!("SELECT workspace_id FROM deal_total_changes GROUP BY workspace_id LIMIT {MAX_WORKSPACES}");
    let mut folded = 0;
    for workspace in tx.load::<_, Uuid>(sql.returns::<SqlUuid>())? {
        folded += tx.value::<_, i64>(fold_one_query(workspace, limit))?.unsigned_abs();
    }
    Ok(folded)
}

/// Like [`fold_query`], for one workspace.
fn fold_one_query(workspace: Uuid, limit: u32) -> Statement<BigInt> {
    let sql = sql!(
        "WITH taken AS (
             DELETE FROM deal_total_changes WHERE workspace_id = $2 AND id = ANY (ARRAY(
                 SELECT id FROM deal_total_changes WHERE workspace_id = $2 ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
             ))
             RETURNING workspace_id, stage, status, currency, deals, value
         ), folded AS (
             INSERT INTO deal_totals AS total (workspace_id, stage, status, currency, deals, value)
                 SELECT workspace_id, stage, status, currency, sum(deals), sum(value) FROM taken
                 GROUP BY workspace_id, stage, status, currency ORDER BY workspace_id, stage, status, currency
             ON CONFLICT (workspace_id, stage, status, currency)
                 DO UPDATE SET deals = total.deals + excluded.deals, value = total.value + excluded.value
         )
         SELECT count(*) FROM taken"
    );
    sql.returns().bind(i64::from(limit)).bind(workspace)
}

pub(super) fn totals(tx: &mut PgTx<'_>) -> Result<Vec<BoardPart>, StoreError> {
    let rows: Vec<(String, String, String, i64, BigDecimal)> = tx.load(totals_query(tx.workspace))?;
    let part = |(stage, status, currency, count, value): (String, String, String, i64, BigDecimal)| {
        Ok(BoardPart {
            stage: Column::into_member(stage)?,
            status: Column::into_member(status)?,
            currency,
            count: count.unsigned_abs(),
            value: convert::from_numeric(&value)?,
        })
    };
    rows.into_iter().map(part).collect()
}
