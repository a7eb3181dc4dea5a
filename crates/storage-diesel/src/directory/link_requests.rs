//! Link requests of unauthenticated clients, whose workspace is only a claim.

use diesel::sql_types::{Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::email::link_requests::{LinkRequest, QueueBounds, RecentLinks, RequestedLink, networks_of};
use domain::limits::AddressGroup;
use domain::ports::{LinkRequestRepo, StoreError};
use domain::{LinkRequestId, WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

const TICKET: &str = "ticket";
const PASSWORD_RESET: &str = "password_reset";

impl LinkRequestRepo for PgTx<'_> {
    fn end(&mut self, id: LinkRequestId) -> Result<bool, StoreError> {
        let sql = sql!("DELETE FROM link_requests WHERE id = $1 AND workspace_id = $2");
        Ok(self.execute(sql.bind(id.0).bind(self.workspace))? > 0)
    }
}

/// Returns whether the queue had capacity.
pub(super) fn put(
    tx: &mut PgTx<'_>,
    request: &LinkRequest,
    network: AddressGroup,
    bounds: &QueueBounds,
) -> Result<bool, StoreError> {
    Ok(tx.execute(put_query(request, network, bounds))? > 0)
}

/// The end of the index range for a network.
const LAST_IN_AREA: &str = "set_masklen(broadcast($8::inet), CASE family($8::inet) WHEN 4 THEN 32 ELSE 128 END)";
const LAST_IN_PROVIDER: &str = "set_masklen(broadcast($9::inet), CASE family($9::inet) WHEN 4 THEN 32 ELSE 128 END)";

/// Counts only up to the bounds. Each ORDER BY makes Postgres count in an index, even if there are few rows.
pub(crate) fn put_query(request: &LinkRequest, network: AddressGroup, bounds: &QueueBounds) -> Statement {
    let (link_kind, email, workspace, reference) = match &request.link {
        RequestedLink::Ticket { workspace, reference, email } => (TICKET, email, Some(workspace.0), Some(reference)),
        RequestedLink::PasswordReset { email } => (PASSWORD_RESET, email, None, None),
    };
    let sql = sql!(
        "INSERT INTO link_requests
             (id, wanted, email, workspace_id, reference, created_at, next_attempt_at, network, turn_at)
         SELECT $1, $2, $3, $4, $5, $6::timestamptz, $6::timestamptz, $7::inet,
             $6::timestamptz + site.waiting * interval '1 second'
         FROM (
             SELECT count(*) AS waiting FROM (
                 SELECT FROM link_requests WHERE network = $7::inet ORDER BY network LIMIT $10
             ) AS of_site
         ) AS site
         WHERE site.waiting < $10
             AND (
                 SELECT count(*) FROM (
                     SELECT FROM link_requests WHERE network >= $8::inet AND network <= {LAST_IN_AREA}
                     ORDER BY network LIMIT $11
                 ) AS of_area
             ) < $11
             AND (
                 SELECT count(*) FROM (
                     SELECT FROM link_requests WHERE network >= $9::inet AND network <= {LAST_IN_PROVIDER}
                     ORDER BY network LIMIT $12
                 ) AS of_provider
             ) < $12
             AND (
                 SELECT count(*) FROM (SELECT FROM link_requests ORDER BY turn_at, id LIMIT $13) AS of_all
             ) < $13"
    );
    let sql = sql.bind(request.id.0).bind(link_kind).bind(email.clone()).bind(workspace).bind(reference.cloned());
    let sql = sql.bind(request.created_at);
    let sql = networks_of(network).iter().fold(sql, |sql, network| sql.bind(network.to_string()));
    let sql = bounds.per_network.iter().fold(sql, |sql, bound| sql.bind(i64::from(*bound)));
    sql.bind(i64::from(bounds.total))
}

type RequestColumns = (SqlUuid, Text, Text, Nullable<SqlUuid>, Nullable<Text>, Timestamptz);
type Row = (Uuid, String, String, Option<Uuid>, Option<String>, OffsetDateTime);

/// Skips rows that another worker is claiming or processing. A row that is due much later than any retry is treated as due:
/// the clock was ahead when it was queued or claimed.
pub(crate) fn take_query(now: OffsetDateTime, again_at: OffsetDateTime, limit: u32) -> Statement<RequestColumns> {
    let sql = sql!(
        "WITH due AS MATERIALIZED (
             SELECT id, turn_at FROM link_requests
             WHERE next_attempt_at <= $2 OR next_attempt_at > $1::timestamptz + interval '10 minutes'
             ORDER BY turn_at, id LIMIT $3
             FOR UPDATE SKIP LOCKED
         ), claimed AS (
             UPDATE link_requests SET next_attempt_at = $1, turn_at = $1 WHERE id = ANY (ARRAY(SELECT due.id FROM due))
             RETURNING id, wanted, email, workspace_id, reference, created_at
         )
         SELECT claimed.* FROM claimed JOIN due USING (id) ORDER BY due.turn_at, id"
    );
    sql.returns().bind(again_at).bind(now).bind(i64::from(limit))
}

pub(super) fn take(
    tx: &mut PgTx<'_>,
    now: OffsetDateTime,
    again_at: OffsetDateTime,
    limit: u32,
) -> Result<Vec<LinkRequest>, StoreError> {
    let rows: Vec<Row> = tx.load(take_query(now, again_at, limit))?;
    let request = |(id, wanted, email, workspace, reference, created_at): Row| {
        let wanted = match (wanted.as_str(), workspace, reference) {
            (TICKET, Some(workspace), Some(reference)) => {
                RequestedLink::Ticket { workspace: WorkspaceId(workspace), reference, email }
            }
            (PASSWORD_RESET, None, None) => RequestedLink::PasswordReset { email },
            _ => return Err(StoreError::Internal(format!("{wanted} is not a kind of link that can be requested"))),
        };
        Ok(LinkRequest { id: LinkRequestId(id), link: wanted, created_at })
    };
    rows.into_iter().map(request).collect()
}

/// Keeps one of several equal requests: the first one from a network where the user has signed in before.
pub(crate) fn sift_query(ids: &[LinkRequestId], recent: RecentLinks) -> Statement<SqlUuid> {
    let sql = sql!(
        "WITH batch AS (
             SELECT *, array_position($1, id) AS place FROM link_requests WHERE id = ANY ($1)
         ), matching AS (
             SELECT batch.*, EXISTS (
                 SELECT FROM sign_ins WHERE user_id = users.id AND sign_ins.network = abbrev(batch.network)
             ) AS is_known
             FROM batch JOIN users ON users.email_key = batch.email AND users.password_hash IS NOT NULL
             WHERE batch.wanted = 'password_reset' AND NOT EXISTS (
                 SELECT FROM password_resets WHERE user_id = users.id AND used_at IS NULL AND expires_at > $2
             )
             UNION ALL
             SELECT batch.*, false
             FROM batch JOIN issues ON issues.workspace_id = batch.workspace_id AND issues.reference = batch.reference
                 AND issues.requester_email_key = batch.email AND issues.deleted_at IS NULL
             WHERE batch.wanted = 'ticket' AND NOT EXISTS (
                 SELECT FROM tracking_links
                 WHERE tracking_links.workspace_id = issues.workspace_id AND tracking_links.issue_id = issues.id
                     AND is_requested AND used_at IS NULL AND expires_at > $3
             )
         ), kept AS (
             SELECT DISTINCT ON (wanted, email, workspace_id, reference) id, is_known, place
             FROM matching
             ORDER BY wanted, email, workspace_id, reference, is_known DESC, place
         ), dropped AS (
             DELETE FROM link_requests WHERE id = ANY ($1) AND NOT EXISTS (SELECT FROM kept WHERE kept.id = link_requests.id)
         )
         SELECT id FROM kept ORDER BY is_known DESC, place"
    );
    sql.returns().bind_each(ids, |id| id.0).bind(recent.resets_expire_after).bind(recent.ticket_links_expire_after)
}

pub(super) fn sift(
    tx: &mut PgTx<'_>,
    ids: &[LinkRequestId],
    recent: RecentLinks,
) -> Result<Vec<LinkRequestId>, StoreError> {
    let remaining: Vec<Uuid> = tx.load(sift_query(ids, recent))?;
    Ok(remaining.into_iter().map(LinkRequestId).collect())
}

/// Returns whether the row still existed.
pub(super) fn drop_one(tx: &mut PgTx<'_>, id: LinkRequestId) -> Result<bool, StoreError> {
    let sql = sql!("DELETE FROM link_requests WHERE id = $1");
    Ok(tx.execute(sql.bind(id.0))? > 0)
}
