//! Counts of tickets that wait.

use diesel::sql_types::{BigInt, Text, Uuid as SqlUuid};
use domain::UserId;
use domain::ports::StoreError;
use domain::work::issues::{Holder, MAX_COUNTED, WaitingPart};
use uuid::Uuid;

use crate::rows::Column;
use crate::statement::{Statement, sql};
use crate::tx::PgTx;

const NOBODY: &str = "nobody";
const ASKING: &str = "asking";

/// The limits are literals: a bound one would be planned as "a tenth of the table".
pub(crate) fn count_waiting_query(workspace: Uuid, member: UserId) -> Statement<(Text, Text, BigInt)> {
    let sql = sql!(
        "SELECT status, CASE WHEN assignee_id IS NULL THEN '{NOBODY}' WHEN assignee_id = $2 THEN '{ASKING}' ELSE 'other' END
                 AS holder, count(*)
         FROM (
             (SELECT status, assignee_id FROM issues
              WHERE workspace_id = $1 AND kind = 'ticket' AND status = 'open' AND deleted_at IS NULL
              ORDER BY created_at DESC, id DESC LIMIT {MAX_COUNTED})
             UNION ALL
             (SELECT status, assignee_id FROM issues
              WHERE workspace_id = $1 AND kind = 'ticket' AND status = 'pending' AND deleted_at IS NULL
              ORDER BY created_at DESC, id DESC LIMIT {MAX_COUNTED})
             UNION ALL
             (SELECT status, assignee_id FROM issues
              WHERE workspace_id = $1 AND kind = 'ticket' AND status = 'on_hold' AND deleted_at IS NULL
              ORDER BY created_at DESC, id DESC LIMIT {MAX_COUNTED})
         ) AS waiting
         GROUP BY status, holder"
    );
    sql.returns().bind::<SqlUuid, _>(workspace).bind::<SqlUuid, _>(member.0)
}

pub(crate) fn count_waiting(tx: &mut PgTx<'_>, member: UserId) -> Result<Vec<WaitingPart>, StoreError> {
    let rows: Vec<(String, String, i64)> = tx.load(count_waiting_query(tx.workspace, member))?;
    let part = |(status, holder, count): (String, String, i64)| {
        let holder = match holder.as_str() {
            NOBODY => Holder::Nobody,
            ASKING => Holder::Asking,
            _ => Holder::Other,
        };
        Ok(WaitingPart { status: Column::into_member(status)?, holder, count: count.unsigned_abs() })
    };
    rows.into_iter().map(part).collect()
}
