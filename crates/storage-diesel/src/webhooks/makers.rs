//! The makers of subscriptions (who saved them last), and whether these are still active.

use const_format::formatcp;
use diesel::sql_types::{Nullable, Text, Timestamptz};
use domain::identity::access::ActorKind;
use domain::identity::workspaces::Role;
use domain::ports::StoreError;
use domain::webhooks::{MakerAccess, SubscriptionRecord};
use time::OffsetDateTime;
use uuid::Uuid;

use super::subscriptions::SubscriptionRow;
use crate::engine::convert;
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;

/// The maker of a row, or its creator if it was last saved before makers were recorded.
pub(super) const MAKER_TYPE: &str = "coalesce(webhook_subscriptions.maker_type, webhook_subscriptions.created_by_type)";
pub(super) const MAKER_ID: &str = "coalesce(webhook_subscriptions.maker_id, webhook_subscriptions.created_by_id)";

/// The state of the maker: its role as a member, or its kind if it still exists; and when its key ended or ends.
pub(super) const MAKER_COLUMNS: &str = formatcp!(
    "
    CASE {MAKER_TYPE}
        WHEN 'user' THEN (
            SELECT role FROM members
            WHERE members.workspace_id = webhook_subscriptions.workspace_id AND user_id = {MAKER_ID}
                AND joined_at IS NOT NULL AND deactivated_at IS NULL)
        WHEN 'api_key' THEN (
            SELECT 'api_key' FROM api_keys
            WHERE api_keys.workspace_id = webhook_subscriptions.workspace_id AND api_keys.id = {MAKER_ID})
        ELSE 'system' END,
    (SELECT least(revoked_at, expires_at) FROM api_keys
        WHERE api_keys.workspace_id = webhook_subscriptions.workspace_id AND api_keys.id = {MAKER_ID})"
);

pub(crate) type RecordColumns = (RowOf<SubscriptionRow>, Nullable<Text>, Nullable<Timestamptz>);
pub(crate) type RecordRow = (SubscriptionRow, Option<String>, Option<OffsetDateTime>);

pub(super) fn into_record((row, maker, ends_at): RecordRow) -> Result<SubscriptionRecord, StoreError> {
    let subscription = row.into_subscription()?;
    let maker_access = match (subscription.maker.actor.kind, maker) {
        (_, None) => MakerAccess::Gone,
        (ActorKind::ApiKey, Some(_)) => MakerAccess::Key { ends_at },
        (ActorKind::User, Some(role)) => MakerAccess::Member(convert::parse_stored(&role, Role::parse)?),
        (ActorKind::System | ActorKind::Customer, Some(_)) => MakerAccess::Service,
    };
    Ok(SubscriptionRecord { subscription, maker_access })
}

/// In a cluster, API keys are on other nodes than subscriptions.
pub(super) fn with_makers(
    tx: &mut PgTx<'_>,
    rows: Vec<SubscriptionRow>,
) -> Result<Vec<SubscriptionRecord>, StoreError> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let makers: Vec<(Option<String>, Option<OffsetDateTime>)> = tx.load(makers_query(tx.workspace, &rows))?;
    rows.into_iter().zip(makers).map(|(row, (maker, ends_at))| into_record((row, maker, ends_at))).collect()
}

/// [`MAKER_COLUMNS`] of the rows, in the same order.
fn makers_query(workspace: Uuid, rows: &[SubscriptionRow]) -> Statement<(Nullable<Text>, Nullable<Timestamptz>)> {
    let sql = sql!(
        "SELECT
             CASE maker.kind
                 WHEN 'user' THEN (
                     SELECT role FROM members
                     WHERE workspace_id = $1 AND user_id = maker.id AND joined_at IS NOT NULL AND deactivated_at IS NULL)
                 WHEN 'api_key' THEN (SELECT 'api_key' FROM api_keys WHERE workspace_id = $1 AND api_keys.id = maker.id)
                 ELSE 'system' END,
             (SELECT least(revoked_at, expires_at) FROM api_keys WHERE workspace_id = $1 AND api_keys.id = maker.id)
         FROM unnest($2::text[], $3::uuid[]) WITH ORDINALITY AS maker (kind, id, place) ORDER BY place"
    );
    let kind = |row: &SubscriptionRow| row.maker_type.clone().unwrap_or_else(|| row.created_by_type.clone());
    sql.returns().bind(workspace).bind_each(rows, kind).bind_each(rows, |row| row.maker_id.or(row.created_by_id))
}
