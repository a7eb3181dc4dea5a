//! Requests for links: whoever asks has no credential, so that their workspace is only what they say.

use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::email::link_requests::{LinkRequest, RequestedLink};
use domain::ports::{LinkRequestRepo, StoreError};
use domain::{LinkRequestId, WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::cached_sql::CachedSql;
use crate::tx::PgTx;

/// Counts requests for links that were dropped: since too many waited already, or since they had waited for too long.
pub const LINK_REQUESTS_DROPPED: &str = "service_link_requests_dropped_total";

const TICKET: &str = "ticket";
const PASSWORD_RESET: &str = "password_reset";

impl LinkRequestRepo for PgTx<'_> {
    fn end(&mut self, id: LinkRequestId) -> Result<bool, StoreError> {
        let sql = CachedSql::<()>::new("DELETE FROM link_requests WHERE id = ").bind::<SqlUuid, _>(id.0);
        let sql = sql.text(" AND workspace_id = ").bind::<SqlUuid, _>(self.workspace);
        Ok(self.execute(sql)? > 0)
    }
}

/// Says whether there was room.
pub(super) fn put(tx: &mut PgTx<'_>, request: &LinkRequest, room: u32) -> Result<bool, StoreError> {
    Ok(tx.execute(put_query(request, room))? > 0)
}

/// Counts no further than there is room. The order has Postgres count in the index, however few there are.
pub(crate) fn put_query(request: &LinkRequest, room: u32) -> CachedSql<()> {
    let (wanted, email, workspace, reference) = match &request.wanted {
        RequestedLink::Ticket { workspace, reference, email } => (TICKET, email, Some(workspace.0), Some(reference)),
        RequestedLink::PasswordReset { email } => (PASSWORD_RESET, email, None, None),
    };
    let sql = CachedSql::new(
        "INSERT INTO link_requests (id, wanted, email, workspace_id, reference, created_at, next_attempt_at) SELECT ",
    );
    let sql = sql.bind::<SqlUuid, _>(request.id.0).text(", ").bind::<Text, _>(wanted.to_owned()).text(", ");
    let sql = sql.bind::<Text, _>(email.clone()).text(", ").bind::<Nullable<SqlUuid>, _>(workspace).text(", ");
    let sql = sql.bind::<Nullable<Text>, _>(reference.cloned()).text(", ");
    let sql = sql.bind::<Timestamptz, _>(request.created_at).text(", ").bind::<Timestamptz, _>(request.created_at);
    let sql = sql.text(" WHERE (SELECT count(*) FROM (SELECT FROM link_requests ORDER BY next_attempt_at, id LIMIT ");
    let sql = sql.bind::<BigInt, _>(i64::from(room)).text(") AS waiting) < ");
    sql.bind::<BigInt, _>(i64::from(room))
}

type RequestColumns = (SqlUuid, Text, Text, Nullable<SqlUuid>, Nullable<Text>, Timestamptz);
type Row = (Uuid, String, String, Option<Uuid>, Option<String>, OffsetDateTime);

/// What another worker takes or answers at this moment is left to it.
pub(crate) fn take_query(now: OffsetDateTime, again_at: OffsetDateTime) -> CachedSql<RequestColumns> {
    let sql = CachedSql::new("UPDATE link_requests SET next_attempt_at = ").bind::<Timestamptz, _>(again_at);
    let sql = sql.text(" WHERE ctid = ANY (ARRAY(SELECT ctid FROM link_requests WHERE next_attempt_at <= ");
    sql.bind::<Timestamptz, _>(now).text(
        " ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)) \
         RETURNING id, wanted, email, workspace_id, reference, created_at",
    )
}

pub(super) fn take(
    tx: &mut PgTx<'_>,
    now: OffsetDateTime,
    again_at: OffsetDateTime,
) -> Result<Option<LinkRequest>, StoreError> {
    let row: Option<Row> = tx.first(take_query(now, again_at))?;
    row.map(|(id, wanted, email, workspace, reference, created_at)| {
        let wanted = match (wanted.as_str(), workspace, reference) {
            (TICKET, Some(workspace), Some(reference)) => {
                RequestedLink::Ticket { workspace: WorkspaceId(workspace), reference, email }
            }
            (PASSWORD_RESET, None, None) => RequestedLink::PasswordReset { email },
            _ => return Err(StoreError::Internal(format!("{wanted} is no link that can be asked for"))),
        };
        Ok(LinkRequest { id: LinkRequestId(id), wanted, created_at })
    })
    .transpose()
}

/// Says whether it was still there.
pub(super) fn drop_one(tx: &mut PgTx<'_>, id: LinkRequestId) -> Result<bool, StoreError> {
    let sql = CachedSql::<()>::new("DELETE FROM link_requests WHERE id = ").bind::<SqlUuid, _>(id.0);
    Ok(tx.execute(sql)? > 0)
}
