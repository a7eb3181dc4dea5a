//! Parts that are added to open e-mails or withdrawn.
//!
//! An open e-mail is locked first: workers skip it meanwhile, and later claim it with all parts. Several e-mails are locked in
//! the order of their batches.

use diesel::sql_types::{Bool, Uuid as SqlUuid};
use domain::EmailPartId;
use domain::email::{EmailBatch, EmailPart, MAX_PARTS};
use domain::ports::StoreError;
use uuid::Uuid;

use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

pub(super) fn append_all(tx: &mut PgTx<'_>, parts: &[EmailPart]) -> Result<Vec<bool>, StoreError> {
    if parts.iter().any(|part| part.workspace.0 != tx.workspace) {
        return Err(StoreError::Internal("a part of an e-mail is sealed for another workspace".to_owned()));
    }
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    tx.load(append_query(tx.workspace, parts))
}

/// Two statements: the second sees parts that others added while the first waited for its locks.
pub(super) fn withdraw(tx: &mut PgTx<'_>, parts: &[(EmailBatch, EmailPartId)]) -> Result<(), StoreError> {
    if parts.is_empty() {
        return Ok(());
    }
    let batches: Vec<_> = parts.iter().map(|(batch, _)| batch.id()).collect();
    let open: Vec<(Uuid, Uuid)> = tx.load(lock_query(tx.workspace, batches))?;
    let of_batch = |batch: EmailBatch| open.iter().find(|(_, open)| *open == batch.id()).map(|(id, _)| *id);
    let open_parts: Vec<_> = parts.iter().filter_map(|(batch, part)| Some((of_batch(*batch)?, part.0))).collect();
    if open_parts.is_empty() {
        return Ok(());
    }
    tx.execute(withdraw_query(tx.workspace, &open_parts)).map(drop)
}

fn in_bytes(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// The size includes omitted parts, so that no later, smaller part takes their place.
pub(crate) fn append_query(workspace: Uuid, parts: &[EmailPart]) -> Statement<Bool> {
    let sql = sql!(
        "WITH wanted AS (
             SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::bytea[], $6::bigint[])
                 WITH ORDINALITY AS wanted (batch, id, body_key_id, body, bytes, place)
         ), open AS (
             SELECT id, batch, batch_bytes FROM mails
             WHERE workspace_id = $1 AND batch = ANY ($2) AND batch IS NOT NULL
             ORDER BY batch
             FOR NO KEY UPDATE
         ), added AS (
             SELECT open.id AS mail_id, wanted.*,
                 open.batch_bytes + sum(wanted.bytes) OVER (PARTITION BY open.id ORDER BY wanted.place) AS up_to
             FROM open JOIN wanted ON wanted.batch = open.batch
             WHERE NOT EXISTS (
                 SELECT FROM mail_parts AS former
                 WHERE former.workspace_id = $1 AND former.mail_id = open.id AND former.id = wanted.id
             )
         ), grown AS (
             UPDATE mails SET batch_bytes = total.bytes
             FROM (SELECT mail_id, max(up_to)::bigint AS bytes FROM added GROUP BY mail_id) AS total
             WHERE mails.workspace_id = $1 AND mails.id = total.mail_id
         ), kept AS (
             INSERT INTO mail_parts (workspace_id, mail_id, id, body_key_id, body)
             SELECT $1, mail_id, id, body_key_id, body FROM added WHERE up_to <= $7
             ON CONFLICT (workspace_id, mail_id, id) DO NOTHING
         )
         SELECT EXISTS (SELECT FROM open WHERE open.batch = wanted.batch) FROM wanted ORDER BY place"
    );
    let sql = sql.returns::<Bool>().bind(workspace).bind_each(parts, |part| part.batch.id());
    let sql = sql.bind_each(parts, |part| part.id.0).bind_each(parts, |part| part.text.key_id.clone());
    let sql = sql.bind_each(parts, |part| part.text.sealed.clone()).bind_each(parts, |part| in_bytes(part.length));
    sql.bind(in_bytes(MAX_PARTS))
}

pub(crate) fn lock_query(workspace: Uuid, batches: Vec<Uuid>) -> Statement<(SqlUuid, SqlUuid)> {
    let sql = sql!(
        "SELECT id, batch FROM mails
         WHERE workspace_id = $1 AND batch = ANY ($2) AND batch IS NOT NULL
         ORDER BY batch
         FOR UPDATE"
    );
    sql.returns().bind(workspace).bind(batches)
}

/// Each part is given with its e-mail. A part that says that others were omitted stays.
pub(crate) fn withdraw_query(workspace: Uuid, parts: &[(Uuid, Uuid)]) -> Statement {
    let sql = sql!(
        "WITH gone AS (
             DELETE FROM mail_parts
             USING unnest($2::uuid[], $3::uuid[]) AS wanted (mail_id, id)
             WHERE mail_parts.workspace_id = $1 AND mail_parts.mail_id = wanted.mail_id AND mail_parts.id = wanted.id
             RETURNING mail_parts.mail_id, mail_parts.id
         )
         DELETE FROM mails
         WHERE workspace_id = $1 AND id = ANY ($2) AND batch_bytes <= $4
             AND EXISTS (SELECT FROM gone WHERE gone.mail_id = mails.id)
             AND NOT EXISTS (
                 SELECT FROM mail_parts AS others
                 WHERE others.workspace_id = $1 AND others.mail_id = mails.id
                     AND NOT EXISTS (SELECT FROM gone WHERE gone.mail_id = others.mail_id AND gone.id = others.id)
             )"
    );
    let (mails, ids): (Vec<_>, Vec<_>) = parts.iter().copied().unzip();
    sql.bind(workspace).bind(mails).bind(ids).bind(in_bytes(MAX_PARTS))
}

pub(crate) fn discard_query(workspace: Uuid, batch: EmailBatch) -> Statement {
    let sql = sql!("DELETE FROM mails WHERE workspace_id = $1 AND batch = $2 AND batch IS NOT NULL");
    sql.bind(workspace).bind(batch.id())
}
