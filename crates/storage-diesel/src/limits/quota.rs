//! The monthly quota, exact over all instances, and the counts of requests.
//!
//! One row that every create changes would have creates wait for each other's commits. So the month's row hands out
//! blocks of units, and a create takes a unit from any block that nobody else holds at the moment. The month's row is
//! locked only by who finds no such block: about one create in [`BLOCK`], and everybody near the end of the quota.
//!
//! A unit is taken in the transaction of the create, by changing its block: a rollback or a crash gives it back.
//!
//! Locks: the month's row comes before blocks, and whoever waits for a block holds the month's row. The quick way waits
//! for nothing. A transaction that takes several units can hold a block and want the month's row; should it deadlock
//! with one that wants its block, the server ends one of them, and that job runs again.

use std::cmp::Ordering;

use diesel::sql_types::{BigInt, Date as SqlDate, Timestamptz, Uuid as SqlUuid};
use domain::limits::quota::month_end;
use domain::ports::{QuotaRepo, QuotaResult, StoreError};
use time::Date;

use crate::cached_sql::CachedSql;
use crate::convert;
use crate::tx::PgTx;

/// Units of a block.
const BLOCK: i64 = 50;

impl QuotaRepo for PgTx<'_> {
    fn take(&mut self, month: Date, limit: u64, version: i64) -> Result<QuotaResult, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        if self.take_from_free_block(month, limit, version)? {
            return Ok(QuotaResult::Counted);
        }
        if self.version()? != version {
            return Ok(QuotaResult::StaleVersion);
        }
        // What was committed never becomes less, so this refusal needs no lock.
        if self.committed(month)?.is_some_and(|used| used >= limit) {
            return Ok(QuotaResult::Exhausted);
        }
        let mut given = self.lock_month(month)?;
        // Whoever changes the limit holds the month's row until that is committed: now it is seen.
        if self.version()? != version {
            return Ok(QuotaResult::StaleVersion);
        }
        if given > limit {
            // The limit was higher when it was handed out: what is free of it goes back.
            given = self.recall_blocks(month)?;
        }
        let taken = match given.cmp(&limit) {
            Ordering::Less => self.take_from_new_block(month, BLOCK.min(limit - given))?,
            // All is handed out, and may have free units; some came free perhaps while the month's row was waited for.
            Ordering::Equal => self.take_from_free_block(month, limit, version)? || self.take_from_any_block(month)?,
            Ordering::Greater => false,
        };
        Ok(if taken { QuotaResult::Counted } else { QuotaResult::Exhausted })
    }

    fn used(&mut self, month: Date) -> Result<u64, StoreError> {
        match self.committed(month)? {
            Some(used) => convert::count(used),
            None => convert::count(self.count_records(month)?),
        }
    }

    fn begin(&mut self, month: Date) -> Result<(), StoreError> {
        self.lock_month(month).map(drop)
    }

    fn requests(&mut self, today: Date, month: Date) -> Result<(u64, u64), StoreError> {
        let sql = CachedSql::<(BigInt, BigInt)>::new("SELECT coalesce(sum(requests) FILTER (WHERE day = ")
            .bind::<SqlDate, _>(today)
            .text("), 0)::bigint, coalesce(sum(requests) FILTER (WHERE day >= ")
            .bind::<SqlDate, _>(month)
            .text("), 0)::bigint FROM request_counts WHERE workspace_id = ")
            .bind::<SqlUuid, _>(self.workspace)
            .text(" AND day >= least(")
            .bind::<SqlDate, _>(today)
            .text(", ")
            .bind::<SqlDate, _>(month)
            .text(")");
        let (of_today, of_month): (i64, i64) = self.value(sql)?;
        Ok((convert::count(of_today)?, convert::count(of_month)?))
    }
}

impl PgTx<'_> {
    /// Names the workspace and the month.
    fn in_month<ST>(&self, sql: CachedSql<ST>, month: Date) -> CachedSql<ST> {
        let sql = sql.text(" WHERE workspace_id = ").bind::<SqlUuid, _>(self.workspace);
        sql.text(" AND month = ").bind::<SqlDate, _>(month)
    }

    /// The version of the workspace as it is committed now.
    fn version(&mut self) -> Result<i64, StoreError> {
        let sql = CachedSql::<BigInt>::new("SELECT version FROM workspaces WHERE id = ");
        let workspace = self.workspace;
        self.value(sql.bind::<SqlUuid, _>(workspace))
    }

    /// Takes a unit of a block that nobody holds, unless more is handed out than the limit or the workspace is at
    /// another version; waits for nobody.
    fn take_from_free_block(&mut self, month: Date, limit: i64, version: i64) -> Result<bool, StoreError> {
        self.take_unit(month, |tx, sql| {
            let sql = tx.in_month(sql.text(" AND (SELECT given FROM crm_quota"), month).text(") <= ");
            let sql = sql.bind::<BigInt, _>(limit).text(" AND (SELECT version FROM workspaces WHERE id = ");
            let sql = sql.bind::<SqlUuid, _>(tx.workspace).text(") = ").bind::<BigInt, _>(version);
            sql.text(" ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED")
        })
    }

    /// Takes a unit of any block, and waits for whoever holds the last ones.
    fn take_from_any_block(&mut self, month: Date) -> Result<bool, StoreError> {
        self.take_unit(month, |_, sql| sql.text(" ORDER BY id LIMIT 1 FOR NO KEY UPDATE"))
    }

    fn take_unit(
        &mut self,
        month: Date,
        choose: impl FnOnce(&Self, CachedSql<()>) -> CachedSql<()>,
    ) -> Result<bool, StoreError> {
        let sql = self.in_month(CachedSql::new("UPDATE crm_quota_blocks SET used = used + 1"), month);
        let sql = self.in_month(sql.text(" AND id = (SELECT id FROM crm_quota_blocks"), month);
        let sql = choose(self, sql.text(" AND used < size")).text(")");
        Ok(self.execute(sql)? > 0)
    }

    /// What the month has had for sure, unless nobody has asked yet.
    fn committed(&mut self, month: Date) -> Result<Option<i64>, StoreError> {
        let sql = CachedSql::<BigInt>::new("SELECT settled + coalesce((SELECT sum(used) FROM crm_quota_blocks");
        let sql = self.in_month(sql, month).text("), 0) FROM crm_quota");
        self.first(self.in_month(sql, month))
    }

    /// Locks the month's row and says how much is handed out. Who makes the row counts the records under its
    /// lock, in a statement of its own: it sees what was committed while the lock was waited for.
    fn lock_month(&mut self, month: Date) -> Result<i64, StoreError> {
        let sql = CachedSql::<()>::new("INSERT INTO crm_quota (workspace_id, month, given, settled) VALUES (");
        let sql = sql.bind::<SqlUuid, _>(self.workspace).text(", ").bind::<SqlDate, _>(month);
        if self.execute(sql.text(", 0, 0) ON CONFLICT (workspace_id, month) DO NOTHING"))? > 0 {
            let count = self.count_records(month)?;
            let sql = CachedSql::<()>::new("UPDATE crm_quota SET given = ").bind::<BigInt, _>(count);
            let sql = sql.text(", settled = ").bind::<BigInt, _>(count);
            self.execute(self.in_month(sql, month))?;
            return Ok(count);
        }
        let sql = self.in_month(CachedSql::<BigInt>::new("SELECT given FROM crm_quota"), month);
        // None: who made it rolled back meanwhile, and the next run makes it.
        self.first(sql.text(" FOR NO KEY UPDATE"))?.ok_or(StoreError::Contended)
    }

    /// The records that were made in the month and count, deleted ones included.
    fn count_records(&mut self, month: Date) -> Result<i64, StoreError> {
        let start = month.midnight().assume_utc();
        let mut sql = CachedSql::<BigInt>::new("SELECT ");
        for (index, table) in ["contacts", "companies", "deals"].into_iter().enumerate() {
            sql = sql.text(if index == 0 { "(SELECT count(*) FROM " } else { " + (SELECT count(*) FROM " }).text(table);
            sql = sql.text(" WHERE workspace_id = ").bind::<SqlUuid, _>(self.workspace);
            sql = sql.text(" AND created_at >= ").bind::<Timestamptz, _>(start);
            sql = sql.text(" AND created_at < ").bind::<Timestamptz, _>(month_end(start)).text(")");
        }
        self.value(sql)
    }

    /// Settles all blocks, whatever is free of them, and says how much is handed out still: what was used. Waits for
    /// everybody who holds a unit.
    fn recall_blocks(&mut self, month: Date) -> Result<i64, StoreError> {
        let sql = self.in_month(CachedSql::<BigInt>::new("WITH gone AS (DELETE FROM crm_quota_blocks"), month);
        let sql = sql.text(
            " RETURNING used), total AS (SELECT coalesce(sum(used), 0) AS used FROM gone) \
             UPDATE crm_quota SET given = settled + total.used, settled = settled + total.used FROM total",
        );
        self.value(self.in_month(sql, month).text(" RETURNING given"))
    }

    /// Hands out a block and takes its first unit. Settles blocks that are used up meanwhile, so that they stay few.
    fn take_from_new_block(&mut self, month: Date, size: i64) -> Result<bool, StoreError> {
        let sql = self.in_month(CachedSql::<()>::new("WITH spent AS (DELETE FROM crm_quota_blocks"), month);
        let sql = self.in_month(sql.text(" AND id IN (SELECT id FROM crm_quota_blocks"), month);
        let sql = sql.text(
            " AND used = size FOR UPDATE SKIP LOCKED) RETURNING used), handed AS (UPDATE crm_quota \
             SET settled = settled + (SELECT coalesce(sum(used), 0) FROM spent), given = given + ",
        );
        let sql = self.in_month(sql.bind::<BigInt, _>(size), month);
        let sql =
            sql.text(" RETURNING workspace_id, month) INSERT INTO crm_quota_blocks (workspace_id, month, size, used) ");
        let sql = sql.text("SELECT workspace_id, month, ").bind::<BigInt, _>(size).text("::integer, 1 FROM handed");
        Ok(self.execute(sql)? > 0)
    }
}
