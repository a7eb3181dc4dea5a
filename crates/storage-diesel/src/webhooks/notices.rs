//! Notices to people about webhooks. Columns record which notices were taken, so that each is taken once.

use diesel::sql_types::{Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::events::Module;
use domain::identity::access::Actor;
use domain::ports::StoreError;
use domain::webhooks::{DisabledReason, NoticeKind, WebhookNotice};
use domain::{SubscriptionId, WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::makers::{MAKER_ID, MAKER_TYPE};
use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// The condition of the index `webhook_subscriptions_failing_untold`.
const IS_FAILING_UNTOLD: &str = "enabled AND failing_since IS NOT NULL
    AND (failing_told_at IS NULL OR failing_told_at < failing_since)";
/// The condition of the index `webhook_subscriptions_disabled_untold`.
const IS_DISABLED_UNTOLD: &str = "disabled_reason IS NOT NULL AND disabled_told_at IS NULL";

/// A workspace has few subscriptions, so all of them are read.
pub(crate) fn maker_ended_query(workspace: Uuid, makers: &[Actor], now: OffsetDateTime) -> Statement {
    let sql = sql!(
        "UPDATE webhook_subscriptions SET maker_notice_at = $1
         FROM unnest($2::text[], $3::uuid[]) AS ended (type, id)
         WHERE workspace_id = $4 AND deleted_at IS NULL
             AND {MAKER_TYPE} = ended.type AND {MAKER_ID} = ended.id"
    );
    sql.bind(now).bind_each(makers, |maker| maker.kind.as_str()).bind_each(makers, |maker| maker.id).bind(workspace)
}

/// Id, module and target; since when it has been failing if a notice is due; whether notices are due that it was disabled and
/// that its maker ended; the reason and the maker.
type TakenColumns = (SqlUuid, Text, Text, Nullable<Timestamptz>, Bool, Bool, Nullable<Text>, Text, Nullable<SqlUuid>);
type TakenRow = (Uuid, String, String, Option<OffsetDateTime>, bool, bool, Option<String>, String, Option<Uuid>);

/// Rows are locked before they are read, so that only one of two callers takes a notice. Rows that are locked elsewhere are
/// skipped until the next time: a caller may already hold a lock on one of them, and must not wait for another.
pub(crate) fn take_query(
    workspace: Uuid,
    now: OffsetDateTime,
    failing_before: OffsetDateTime,
) -> Statement<TakenColumns> {
    let sql = sql!(
        "WITH due AS MATERIALIZED (
             SELECT id, CASE WHEN {IS_FAILING_UNTOLD} AND failing_since <= $3 THEN failing_since END AS failing_since,
                 {IS_DISABLED_UNTOLD} AS is_disabled, coalesce(maker_notice_at <= $2, false) AS has_no_maker
             FROM webhook_subscriptions
             WHERE workspace_id = $1 AND deleted_at IS NULL AND (
                 ({IS_FAILING_UNTOLD} AND failing_since <= $3) OR ({IS_DISABLED_UNTOLD}) OR maker_notice_at <= $2)
             ORDER BY id
             FOR NO KEY UPDATE SKIP LOCKED
         )
         UPDATE webhook_subscriptions SET
             failing_told_at = CASE WHEN due.failing_since IS NULL THEN failing_told_at ELSE $2 END,
             disabled_told_at = CASE WHEN due.is_disabled THEN $2 ELSE disabled_told_at END,
             maker_notice_at = CASE WHEN due.has_no_maker THEN NULL ELSE maker_notice_at END
         FROM due
         WHERE workspace_id = $1 AND webhook_subscriptions.id = due.id
         RETURNING webhook_subscriptions.id, module, url, due.failing_since, due.is_disabled, due.has_no_maker,
             disabled_reason, {MAKER_TYPE}, {MAKER_ID}"
    );
    sql.returns().bind(workspace).bind(now).bind(failing_before)
}

pub(super) fn take(
    tx: &mut PgTx<'_>,
    now: OffsetDateTime,
    failing_before: OffsetDateTime,
) -> Result<Vec<WebhookNotice>, StoreError> {
    let mut rows: Vec<TakenRow> = tx.load(take_query(tx.workspace, now, failing_before))?;
    // UPDATE … RETURNING has no defined order.
    rows.sort_by_key(|row| row.0);
    let mut notices = Vec::new();
    for (id, module, url, failing_since, is_disabled, has_no_maker, reason, maker_type, maker_id) in rows {
        let module = convert::parse_stored(&module, Module::parse)?;
        let reason = reason.map(|text| convert::parse_stored(&text, DisabledReason::parse)).transpose()?;
        let maker = convert::actor(&maker_type, maker_id)?;
        let kinds = [
            failing_since.map(|since| NoticeKind::Failing { since }),
            reason.filter(|_| is_disabled).map(|reason| NoticeKind::Disabled { reason }),
            has_no_maker.then_some(NoticeKind::MakerEnded { maker }),
        ];
        let notice = |kind| WebhookNotice { subscription: SubscriptionId(id), module, url: url.clone(), kind };
        notices.extend(kinds.into_iter().flatten().map(notice));
    }
    Ok(notices)
}

/// Each branch reads the head of its index.
pub(crate) fn workspaces_query(now: OffsetDateTime, failing_before: OffsetDateTime, limit: u32) -> Statement<SqlUuid> {
    let sql = sql!(
        "SELECT DISTINCT workspace_id FROM (
             (SELECT workspace_id FROM webhook_subscriptions
                 WHERE {IS_FAILING_UNTOLD} AND deleted_at IS NULL AND failing_since <= $1
                 ORDER BY failing_since LIMIT $2)
             UNION ALL
             (SELECT workspace_id FROM webhook_subscriptions
                 WHERE {IS_DISABLED_UNTOLD} AND deleted_at IS NULL
                 ORDER BY updated_at LIMIT $2)
             UNION ALL
             (SELECT workspace_id FROM webhook_subscriptions
                 WHERE maker_notice_at <= $3 AND maker_notice_at IS NOT NULL AND deleted_at IS NULL
                 ORDER BY maker_notice_at LIMIT $2)
         ) AS due"
    );
    sql.returns().bind(failing_before).bind(i64::from(limit)).bind(now)
}

pub(crate) fn workspaces(
    tx: &mut PgTx<'_>,
    now: OffsetDateTime,
    failing_before: OffsetDateTime,
    limit: u32,
) -> Result<Vec<WorkspaceId>, StoreError> {
    let rows: Vec<Uuid> = tx.load(workspaces_query(now, failing_before, limit))?;
    Ok(rows.into_iter().map(WorkspaceId).collect())
}
