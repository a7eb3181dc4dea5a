//! Queued e-mails, for operators.

use diesel::sql_types::{Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::email::{EmailFilter, EmailState, EmailStatus, EmailSummary};
use domain::ports::StoreError;
use domain::{EmailId, WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

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

/// The slug is a subquery, so that it is read only for the rows returned.
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
        (None, None, None) => return Err(StoreError::Internal("an e-mail has no status".to_owned())),
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

/// Reads the newest e-mails of each status by index and merges them, for one workspace or for all.
macro_rules! list_sql {
    ($of_workspace:literal) => {
        sql!(
            "SELECT {COLUMNS}
             FROM unnest($1::text[]) AS wanted (status)
             CROSS JOIN LATERAL (
                 SELECT workspace_id, id, recipient, subject, created_at, attempts, next_attempt_at, lease_owner,
                     sent_at, failed_at, last_error
                 FROM mails
                 WHERE (CASE WHEN next_attempt_at IS NOT NULL THEN 'waiting' WHEN sent_at IS NOT NULL THEN 'sent'
                     ELSE 'failed' END) = wanted.status {of_workspace}
                 ORDER BY created_at DESC, id DESC LIMIT $2
             ) AS newest
             ORDER BY created_at DESC, id DESC LIMIT $2",
            of_workspace = $of_workspace
        )
    };
}

pub(crate) fn list_query(filter: EmailFilter) -> Statement<EmailColumns> {
    let statuses = filter.status.map_or_else(|| EmailStatus::ALL.to_vec(), |status| vec![status]);
    let statuses: Vec<_> = statuses.into_iter().map(|status| status.as_str().to_owned()).collect();
    let limit = i64::from(filter.limit);
    let sql = match filter.workspace {
        None => list_sql!("").bind(statuses).bind(limit),
        Some(workspace) => list_sql!("AND workspace_id = $3").bind(statuses).bind(limit).bind(workspace.0),
    };
    sql.returns()
}

pub(super) fn find(tx: &mut PgTx<'_>, workspace: WorkspaceId, id: EmailId) -> Result<Option<EmailSummary>, StoreError> {
    let sql = sql!("SELECT {COLUMNS} FROM mails WHERE workspace_id = $1 AND id = $2").returns::<EmailColumns>();
    let rows: Vec<Row> = tx.load(sql.bind(workspace.0).bind(id.0))?;
    rows.into_iter().next().map(into_listed).transpose()
}

pub(crate) fn retry_query(workspace: WorkspaceId, id: EmailId, now: OffsetDateTime) -> Statement {
    let sql = sql!(
        "UPDATE mails SET next_attempt_at = $1
         WHERE workspace_id = $2 AND id = $3 AND lease_owner IS NULL AND next_attempt_at > $1"
    );
    sql.bind(now).bind(workspace.0).bind(id.0)
}

/// Skips e-mails that a worker has claimed: they are being sent.
pub(crate) fn retry_all_query(workspace: WorkspaceId, now: OffsetDateTime, limit: u32) -> Statement {
    let sql = sql!(
        "UPDATE mails SET next_attempt_at = $1
         WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM mails
             WHERE next_attempt_at IS NOT NULL AND workspace_id = $2 AND next_attempt_at > $1 AND lease_owner IS NULL
             ORDER BY next_attempt_at LIMIT $3
             FOR NO KEY UPDATE SKIP LOCKED
         ))"
    );
    sql.bind(now).bind(workspace.0).bind(i64::from(limit))
}
