//! Letters as operators see them.

use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::email::{EmailFilter, EmailState, EmailStatus, EmailSummary};
use domain::ports::StoreError;
use domain::{EmailId, WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::cached_sql::CachedSql;
use crate::convert;
use crate::tx::PgTx;

type EmailColumns = (
    SqlUuid,
    SqlUuid,
    Text,
    Text,
    Text,
    Timestamptz,
    Integer,
    Nullable<Timestamptz>,
    Bool,
    Nullable<Timestamptz>,
    Nullable<Timestamptz>,
    Nullable<Text>,
);

type Row = (
    Uuid,
    Uuid,
    String,
    String,
    String,
    OffsetDateTime,
    i32,
    Option<OffsetDateTime>,
    bool,
    Option<OffsetDateTime>,
    Option<OffsetDateTime>,
    Option<String>,
);

/// The slug as a subquery: it is looked up for what is shown alone.
const COLUMNS: &str = "workspace_id, id, (SELECT slug FROM workspaces WHERE workspaces.id = workspace_id), recipient, \
                       subject, created_at, attempts, next_attempt_at, lease_owner IS NOT NULL, sent_at, failed_at, \
                       last_error";

fn into_listed(row: Row) -> Result<EmailSummary, StoreError> {
    let (workspace, id, slug, to, subject, created_at, attempts, due_at, in_flight, sent_at, failed_at, last_error) =
        row;
    let email_state = match (due_at, sent_at, failed_at) {
        (Some(due_at), ..) => EmailState::Waiting { due_at, in_flight },
        (None, Some(at), _) => EmailState::Sent { at },
        (None, None, Some(at)) => EmailState::Failed { at },
        (None, None, None) => return Err(StoreError::Internal("a letter stands nowhere".to_owned())),
    };
    Ok(EmailSummary {
        id: EmailId(id),
        workspace: WorkspaceId(workspace),
        slug,
        to,
        subject,
        created_at,
        attempts: convert::small(i64::from(attempts))?,
        email_state,
        last_error,
    })
}

pub(super) fn list(tx: &mut PgTx<'_>, filter: EmailFilter) -> Result<Vec<EmailSummary>, StoreError> {
    let rows: Vec<Row> = tx.load(list_query(filter))?;
    rows.into_iter().map(into_listed).collect()
}

/// Each status has its newest letters in order; the newest of those are the list.
pub(crate) fn list_query(filter: EmailFilter) -> CachedSql<EmailColumns> {
    let wanted = filter.status.map_or_else(|| EmailStatus::ALL.to_vec(), |status| vec![status]);
    let wanted: Vec<_> = wanted.into_iter().map(|status| status.as_str().to_owned()).collect();
    let sql = CachedSql::new("SELECT ").text(COLUMNS).text(" FROM unnest(").bind::<Array<Text>, _>(wanted).text(
        ") AS wanted (status) CROSS JOIN LATERAL (SELECT workspace_id, id, recipient, subject, created_at, attempts, \
            next_attempt_at, lease_owner, sent_at, failed_at, last_error FROM mails WHERE (CASE \
            WHEN next_attempt_at IS NOT NULL THEN 'waiting' WHEN sent_at IS NOT NULL THEN 'sent' ELSE 'failed' END) = \
            wanted.status",
    );
    let sql = match filter.workspace {
        Some(workspace) => sql.text(" AND workspace_id = ").bind::<SqlUuid, _>(workspace.0),
        None => sql,
    };
    let sql = sql.text(" ORDER BY created_at DESC, id DESC LIMIT ").bind::<BigInt, _>(i64::from(filter.limit));
    sql.text(") AS newest ORDER BY created_at DESC, id DESC LIMIT ").bind::<BigInt, _>(i64::from(filter.limit))
}

pub(super) fn find(tx: &mut PgTx<'_>, workspace: WorkspaceId, id: EmailId) -> Result<Option<EmailSummary>, StoreError> {
    let sql = CachedSql::<EmailColumns>::new("SELECT ").text(COLUMNS).text(" FROM mails WHERE workspace_id = ");
    let sql = sql.bind::<SqlUuid, _>(workspace.0).text(" AND id = ").bind::<SqlUuid, _>(id.0);
    let rows: Vec<Row> = tx.load(sql)?;
    rows.into_iter().next().map(into_listed).transpose()
}

pub(crate) fn retry_query(workspace: WorkspaceId, id: EmailId, now: OffsetDateTime) -> CachedSql<()> {
    let sql = CachedSql::new("UPDATE mails SET next_attempt_at = ").bind::<Timestamptz, _>(now);
    let sql = sql.text(" WHERE workspace_id = ").bind::<SqlUuid, _>(workspace.0);
    let sql = sql.text(" AND id = ").bind::<SqlUuid, _>(id.0);
    sql.text(" AND lease_owner IS NULL AND next_attempt_at > ").bind::<Timestamptz, _>(now)
}

/// What a worker has in hand stays: it is being sent.
pub(crate) fn retry_all_query(workspace: WorkspaceId, now: OffsetDateTime, limit: u32) -> CachedSql<()> {
    let sql = CachedSql::new("UPDATE mails SET next_attempt_at = ").bind::<Timestamptz, _>(now);
    let sql = sql
        .text(" WHERE ctid = ANY (ARRAY(SELECT ctid FROM mails WHERE next_attempt_at IS NOT NULL AND workspace_id = ");
    let sql = sql.bind::<SqlUuid, _>(workspace.0).text(" AND next_attempt_at > ").bind::<Timestamptz, _>(now);
    let sql = sql.text(" AND lease_owner IS NULL ORDER BY next_attempt_at LIMIT ").bind::<BigInt, _>(i64::from(limit));
    sql.text(" FOR NO KEY UPDATE SKIP LOCKED))")
}
