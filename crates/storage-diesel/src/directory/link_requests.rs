//! Link requests of unauthenticated clients: the workspace is only what the client claims.

use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::email::link_requests::{LinkRequest, RequestedLink};
use domain::ports::{LinkRequestRepo, StoreError};
use domain::{LinkRequestId, WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::statement::{Statement, sql};
use crate::tx::PgTx;

/// Counts link requests that were dropped because the queue was full or because they had expired.
pub const LINK_REQUESTS_DROPPED: &str = "service_link_requests_dropped_total";

const TICKET: &str = "ticket";
const PASSWORD_RESET: &str = "password_reset";

impl LinkRequestRepo for PgTx<'_> {
    fn end(&mut self, id: LinkRequestId) -> Result<bool, StoreError> {
        let sql = sql!("DELETE FROM link_requests WHERE id = $1 AND workspace_id = $2");
        Ok(self.execute(sql.bind::<SqlUuid, _>(id.0).bind::<SqlUuid, _>(self.workspace))? > 0)
    }
}

/// Returns whether the queue had capacity.
pub(super) fn put(tx: &mut PgTx<'_>, request: &LinkRequest, room: u32) -> Result<bool, StoreError> {
    Ok(tx.execute(put_query(request, room))? > 0)
}

/// Counts only up to the limit. The ORDER BY makes Postgres count in the index, even if there are few rows.
pub(crate) fn put_query(request: &LinkRequest, room: u32) -> Statement {
    let (wanted, email, workspace, reference) = match &request.wanted {
        RequestedLink::Ticket { workspace, reference, email } => (TICKET, email, Some(workspace.0), Some(reference)),
        RequestedLink::PasswordReset { email } => (PASSWORD_RESET, email, None, None),
    };
    let sql = sql!(
        "INSERT INTO link_requests (id, wanted, email, workspace_id, reference, created_at, next_attempt_at)
         SELECT $1, $2, $3, $4, $5, $6, $6
         WHERE (
             SELECT count(*) FROM (SELECT FROM link_requests ORDER BY next_attempt_at, id LIMIT $7) AS waiting
         ) < $7"
    );
    let sql = sql.bind::<SqlUuid, _>(request.id.0).bind::<Text, _>(wanted).bind::<Text, _>(email.clone());
    let sql = sql.bind::<Nullable<SqlUuid>, _>(workspace).bind::<Nullable<Text>, _>(reference.cloned());
    sql.bind::<Timestamptz, _>(request.created_at).bind::<BigInt, _>(i64::from(room))
}

type RequestColumns = (SqlUuid, Text, Text, Nullable<SqlUuid>, Nullable<Text>, Timestamptz);
type Row = (Uuid, String, String, Option<Uuid>, Option<String>, OffsetDateTime);

/// Skips rows that another worker is claiming or processing.
pub(crate) fn take_query(now: OffsetDateTime, again_at: OffsetDateTime) -> Statement<RequestColumns> {
    let sql = sql!(
        "UPDATE link_requests SET next_attempt_at = $1
         WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM link_requests WHERE next_attempt_at <= $2
             ORDER BY next_attempt_at, id LIMIT 1
             FOR UPDATE SKIP LOCKED
         ))
         RETURNING id, wanted, email, workspace_id, reference, created_at"
    );
    sql.returns().bind::<Timestamptz, _>(again_at).bind::<Timestamptz, _>(now)
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
            _ => return Err(StoreError::Internal(format!("{wanted} is not a kind of link that can be requested"))),
        };
        Ok(LinkRequest { id: LinkRequestId(id), wanted, created_at })
    })
    .transpose()
}

/// Returns whether the row still existed.
pub(super) fn drop_one(tx: &mut PgTx<'_>, id: LinkRequestId) -> Result<bool, StoreError> {
    let sql = sql!("DELETE FROM link_requests WHERE id = $1");
    Ok(tx.execute(sql.bind::<SqlUuid, _>(id.0))? > 0)
}
