//! File imports and their refused rows.

use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::ports::{ImportRepo, StoreError};
use domain::transfer::{Import, ImportDigest, Progress, Refusal, Surplus, TransferKind};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::convert::count;
use crate::engine::errors::expect_rows;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

type ImportColumns = (Text, BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, Timestamptz, Nullable<Timestamptz>);
type ImportRow = (String, i64, i64, i64, i64, i64, i64, OffsetDateTime, Option<OffsetDateTime>);

impl ImportRepo for PgTx<'_> {
    fn insert(&mut self, import: &Import) -> Result<(), StoreError> {
        let sql = sql!(
            "INSERT INTO imports
                 (workspace_id, digest, kind, created, updated, unchanged, skipped, refused, companies, started_at,
                  finished_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
             ON CONFLICT DO NOTHING"
        );
        let sql = sql.bind(self.workspace).bind(import.digest.as_str().to_owned());
        let sql = counts(sql.bind(import.kind.as_str()), &import.progress).bind(import.started_at);
        let affected = self.execute(sql.bind(import.finished_at))?;
        if affected == 1 { Ok(()) } else { Err(StoreError::Contended) }
    }

    fn get_for_update(&mut self, digest: &ImportDigest) -> Result<Option<Import>, StoreError> {
        let row: Option<ImportRow> = self.first(get_query(self.workspace, digest))?;
        let import = |row: ImportRow| {
            let (kind, created, updated, unchanged, skipped, refused, companies, started_at, finished_at) = row;
            let progress = Progress {
                created: count(created)?,
                updated: count(updated)?,
                unchanged: count(unchanged)?,
                skipped: count(skipped)?,
                refused: count(refused)?,
                companies: count(companies)?,
            };
            let kind = TransferKind::parse(&kind)
                .ok_or_else(|| StoreError::Internal(format!("the kind of an import is {kind:?}")))?;
            Ok(Import { digest: digest.clone(), kind, progress, started_at, finished_at })
        };
        row.map(import).transpose()
    }

    fn advance(&mut self, before: &Import, progress: &Progress) -> Result<bool, StoreError> {
        let sql = sql!(
            "UPDATE imports SET created = $3, updated = $4, unchanged = $5, skipped = $6, refused = $7, companies = $8
             WHERE workspace_id = $1 AND digest = $2 AND finished_at IS NULL
                 AND created + updated + unchanged + skipped + refused = $9"
        );
        let sql = sql.bind(self.workspace).bind(before.digest.as_str().to_owned());
        Ok(self.execute(counts(sql, progress).bind(number(before.progress.rows())))? == 1)
    }

    fn add_refusals(&mut self, digest: &ImportDigest, refused: &[Refusal]) -> Result<(), StoreError> {
        let sql = sql!(
            "INSERT INTO import_refusals (workspace_id, digest, row_number, reason)
             SELECT $1, $2, row_number, reason FROM unnest($3::bigint[], $4::text[]) AS refused (row_number, reason)"
        );
        let sql = sql.bind(self.workspace).bind(digest.as_str().to_owned());
        let rows: Vec<_> = refused.iter().map(|refusal| number(refusal.row)).collect();
        let reasons: Vec<_> = refused.iter().map(|refusal| refusal.reason.clone()).collect();
        expect_rows(self.execute(sql.bind(rows).bind(reasons))?, refused.len())
    }

    fn refusals(&mut self, digest: &ImportDigest, first: u64, last: u64) -> Result<Vec<Refusal>, StoreError> {
        let rows: Vec<(i64, String)> = self.load(refusals_query(self.workspace, digest, first, last))?;
        rows.into_iter().map(|(row, reason)| Ok(Refusal { row: count(row)?, reason })).collect()
    }

    fn add_written(&mut self, digest: &ImportDigest, written: &[(Uuid, u64)]) -> Result<(), StoreError> {
        let sql = sql!(
            "INSERT INTO import_records (workspace_id, import_id, record_id, line)
             SELECT $1, left($2, 32)::uuid, record_id, line
             FROM unnest($3::uuid[], $4::bigint[]) AS written (record_id, line)"
        );
        let sql = sql.bind(self.workspace).bind(digest.as_str().to_owned());
        let (records, lines): (Vec<_>, Vec<_>) = written.iter().map(|(record, line)| (*record, number(*line))).unzip();
        expect_rows(self.execute(sql.bind(records).bind(lines))?, written.len())
    }

    fn written(&mut self, digest: &ImportDigest, records: &[Uuid]) -> Result<Vec<(Uuid, u64)>, StoreError> {
        let rows: Vec<(Uuid, i64)> = self.load(written_query(self.workspace, digest, records))?;
        rows.into_iter().map(|(record, line)| Ok((record, count(line)?))).collect()
    }

    fn forget_written(&mut self, limit: u32) -> Result<u64, StoreError> {
        Ok(self.execute(forget_written_query(self.workspace, limit))? as u64)
    }

    fn end_surplus(&mut self, surplus: &Surplus, now: OffsetDateTime) -> Result<(), StoreError> {
        self.execute(end_surplus_query(self.workspace, surplus, now)).map(drop)
    }

    fn finish(&mut self, digest: &ImportDigest, now: OffsetDateTime) -> Result<bool, StoreError> {
        let forget = sql!(
            "DELETE FROM import_refusals WHERE workspace_id = $1 AND digest IN (
                 SELECT digest FROM imports WHERE workspace_id = $1 AND finished_at IS NOT NULL
             )"
        );
        self.execute(forget.bind(self.workspace))?;
        let sql =
            sql!("UPDATE imports SET finished_at = $3 WHERE workspace_id = $1 AND digest = $2 AND finished_at IS NULL");
        Ok(self.execute(sql.bind(self.workspace).bind(digest.as_str().to_owned()).bind(now))? == 1)
    }

    fn delete(&mut self, digest: &ImportDigest) -> Result<(), StoreError> {
        self.execute(forget_refusals(self.workspace, digest))?;
        let sql = sql!("DELETE FROM import_records WHERE workspace_id = $1 AND import_id = left($2, 32)::uuid");
        self.execute(sql.bind(self.workspace).bind(digest.as_str().to_owned()))?;
        let sql = sql!("DELETE FROM imports WHERE workspace_id = $1 AND digest = $2");
        self.execute(sql.bind(self.workspace).bind(digest.as_str().to_owned())).map(drop)
    }

    fn prune(&mut self, before: OffsetDateTime, keep: u32) -> Result<(), StoreError> {
        let digests: Vec<String> = self.load(surplus_query(self.workspace, before, keep))?;
        if digests.is_empty() {
            return Ok(());
        }
        for sql in [
            sql!("DELETE FROM import_refusals WHERE workspace_id = $1 AND digest = ANY ($2)"),
            sql!(
                "DELETE FROM import_records WHERE workspace_id = $1 AND import_id = ANY (
                     SELECT left(digest, 32)::uuid FROM unnest($2::text[]) AS digest
                 )"
            ),
            sql!("DELETE FROM imports WHERE workspace_id = $1 AND digest = ANY ($2)"),
        ] {
            self.execute(sql.bind(self.workspace).bind(digests.clone()))?;
        }
        Ok(())
    }
}

fn get_query(workspace: Uuid, digest: &ImportDigest) -> Statement<ImportColumns> {
    let sql = sql!(
        "SELECT kind, created, updated, unchanged, skipped, refused, companies, started_at, finished_at
         FROM imports WHERE workspace_id = $1 AND digest = $2 FOR UPDATE"
    );
    sql.returns().bind(workspace).bind(digest.as_str().to_owned())
}

/// Imports that began before a time, and imports beyond the newest `keep`.
pub(crate) fn surplus_query(workspace: Uuid, before: OffsetDateTime, keep: u32) -> Statement<Text> {
    let sql = sql!(
        "SELECT digest FROM imports WHERE workspace_id = $1 AND started_at < $2
         UNION
         (SELECT digest FROM imports WHERE workspace_id = $1 ORDER BY started_at DESC OFFSET $3)"
    );
    sql.returns().bind(workspace).bind(before).bind(i64::from(keep))
}

/// The lines of the records among these that an import has written.
pub(crate) fn written_query(workspace: Uuid, digest: &ImportDigest, records: &[Uuid]) -> Statement<(SqlUuid, BigInt)> {
    let sql = sql!(
        "SELECT record_id, line FROM import_records
         WHERE workspace_id = $1 AND import_id = left($2, 32)::uuid AND record_id = ANY ($3)"
    );
    sql.returns().bind(workspace).bind(digest.as_str().to_owned()).bind(records.to_vec())
}

/// Deletes some of the stored records of a finished import. A workspace has at most 1,000 imports.
///
/// The rows are deleted by a range of the primary key. A list of rows would be compared with each row of the workspace, because
/// the planner expects one row in a table that is mostly empty.
pub(crate) fn forget_written_query(workspace: Uuid, limit: u32) -> Statement {
    let sql = sql!(
        "WITH ended AS MATERIALIZED (
             SELECT written.import_id
             FROM imports CROSS JOIN LATERAL (
                 SELECT import_id FROM import_records
                 WHERE workspace_id = $1 AND import_id = left(imports.digest, 32)::uuid
                 ORDER BY record_id LIMIT 1
             ) AS written
             WHERE imports.workspace_id = $1 AND imports.finished_at IS NOT NULL
             ORDER BY imports.digest LIMIT 1
         )
         DELETE FROM import_records WHERE workspace_id = $1
             AND import_id = (SELECT import_id FROM ended)
             AND record_id <= (
                 SELECT record_id FROM (
                     SELECT record_id FROM import_records
                     WHERE workspace_id = $1 AND import_id = (SELECT import_id FROM ended)
                     ORDER BY record_id LIMIT $2
                 ) AS first ORDER BY record_id DESC LIMIT 1
             )"
    );
    sql.bind(workspace).bind(i64::from(limit))
}

/// Marks surplus unfinished imports as finished.
fn end_surplus_query(workspace: Uuid, surplus: &Surplus, now: OffsetDateTime) -> Statement {
    let sql = sql!(
        "UPDATE imports SET finished_at = $5 WHERE workspace_id = $1 AND finished_at IS NULL AND (
             started_at < $2
             OR digest IN (SELECT digest FROM imports WHERE workspace_id = $1 ORDER BY started_at DESC OFFSET $3)
             OR digest IN (
                 SELECT digest FROM imports WHERE workspace_id = $1 AND finished_at IS NULL
                 ORDER BY started_at DESC OFFSET $4
             )
         )"
    );
    let Surplus { before, keep, keep_unfinished } = *surplus;
    sql.bind(workspace).bind(before).bind(i64::from(keep)).bind(i64::from(keep_unfinished)).bind(now)
}

fn refusals_query(workspace: Uuid, digest: &ImportDigest, first: u64, last: u64) -> Statement<(BigInt, Text)> {
    let sql = sql!(
        "SELECT row_number, reason FROM import_refusals
         WHERE workspace_id = $1 AND digest = $2 AND row_number BETWEEN $3 AND $4 ORDER BY row_number"
    );
    sql.returns().bind(workspace).bind(digest.as_str().to_owned()).bind(number(first)).bind(number(last))
}

fn forget_refusals(workspace: Uuid, digest: &ImportDigest) -> Statement {
    let sql = sql!("DELETE FROM import_refusals WHERE workspace_id = $1 AND digest = $2");
    sql.bind(workspace).bind(digest.as_str().to_owned())
}

/// Binds the counts in the order of their columns.
fn counts<ST>(sql: Statement<ST>, progress: &Progress) -> Statement<ST> {
    let Progress { created, updated, unchanged, skipped, refused, companies } = *progress;
    let columns = [created, updated, unchanged, skipped, refused, companies];
    columns.into_iter().fold(sql, |sql, count| sql.bind(number(count)))
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
