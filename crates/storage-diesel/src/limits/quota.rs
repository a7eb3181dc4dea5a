//! The monthly quota, exact across all instances, and the request counts.
//!
//! With a single row per month, every create would wait for the commits of others. So the month's row allocates blocks of
//! units, and a create takes a unit from any unlocked block. Only if there is no such block is the month's row locked: by about
//! one in [`BLOCK`] creates, and by every create near the end of the quota.
//!
//! A unit is taken in the transaction of the create, by updating its block: a rollback or a crash returns it. Bulk creates
//! take units from the month's row, and from blocks only when everything is allocated.
//!
//! Lock order: the month's row, then blocks; a transaction that waits for a block holds the month's row. The fast path never
//! waits. A transaction that takes several units can hold a block and wait for the month's row; if it deadlocks with one
//! that waits for its block, Postgres aborts one of them, and that job is retried.

use std::cmp::Ordering;

use const_format::formatcp;
use diesel::sql_types::BigInt;
use domain::limits::quota::month_end;
use domain::ports::{QuotaGrant, QuotaRepo, QuotaResult, StoreError};
use time::Date;
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::pending::{PendingWrite, WriteName};
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// Units per block. A create that finds no free block takes several times as long, so fewer than one in a hundred should.
const BLOCK: i64 = 200;

/// Locks an unlocked block with a free unit, unless more than the limit is allocated or the workspace has another version. Never
/// waits. `$1` is the workspace, `$2` the month, `$3` the limit, `$4` the version.
const FREE_BLOCK: &str = "SELECT id FROM crm_quota_blocks
     WHERE workspace_id = $1 AND month = $2 AND used < size
         AND (SELECT given FROM crm_quota WHERE workspace_id = $1 AND month = $2) <= $3
         AND (SELECT version FROM workspaces WHERE id = $1) = $4
     ORDER BY id LIMIT 1
     FOR NO KEY UPDATE SKIP LOCKED";
/// Takes a unit of that block.
const TAKE_FROM_FREE_BLOCK: &str = formatcp!(
    "UPDATE crm_quota_blocks SET used = used + 1 WHERE workspace_id = $1 AND month = $2 AND id = ({FREE_BLOCK})"
);
/// Takes a unit of a block that was locked before, if all assumptions hold.
const TAKE_FROM_LOCKED_BLOCK: &str = "quota AS (
         UPDATE crm_quota_blocks SET used = used + 1
         WHERE workspace_id = $1 AND month = $2 AND id = (SELECT id FROM block) AND EXISTS (SELECT FROM gate)
         RETURNING 1
     )";

impl QuotaRepo for PgTx<'_> {
    fn take(&mut self, month: Date, limit: u64, version: i64) -> Result<QuotaResult, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        if self.batches_writes() {
            let write = PendingWrite::new(WriteName::Quota, self.free_block_query(month, limit, version));
            let write = write.with(formatcp!("block AS MATERIALIZED ({FREE_BLOCK})")).then(TAKE_FROM_LOCKED_BLOCK);
            self.write_later(write.holds("EXISTS (SELECT FROM block)").ensures("EXISTS (SELECT FROM quota)"))?;
            return Ok(QuotaResult::Counted);
        }
        if self.take_from_free_block(month, limit, version)? {
            return Ok(QuotaResult::Counted);
        }
        if self.version()? != version {
            return Ok(QuotaResult::StaleVersion);
        }
        // Committed usage never decreases, so this rejection needs no lock.
        if self.committed(month)?.is_some_and(|used| used >= limit) {
            return Ok(QuotaResult::Exhausted);
        }
        let mut allocated = self.lock_month(month)?;
        // A change of the limit holds the month's row until it commits, so it is visible now.
        if self.version()? != version {
            return Ok(QuotaResult::StaleVersion);
        }
        if allocated > limit {
            // The limit was higher when units were allocated: recall unused ones.
            allocated = self.recall_blocks(month)?;
        }
        let is_taken = match allocated.cmp(&limit) {
            Ordering::Less => self.take_from_new_block(month, BLOCK.min(limit - allocated))?,
            // Everything is allocated, but blocks may have unused units; some may have become available during the wait.
            Ordering::Equal => self.take_from_free_block(month, limit, version)? || self.take_from_any_block(month)?,
            Ordering::Greater => false,
        };
        Ok(if is_taken { QuotaResult::Counted } else { QuotaResult::Exhausted })
    }

    /// Near the end of the quota, it waits for transactions that have taken units of the last blocks.
    fn take_many(&mut self, month: Date, units: u64, limit: u64, version: i64) -> Result<QuotaGrant, StoreError> {
        let (units, limit) = (i64::try_from(units).unwrap_or(i64::MAX), i64::try_from(limit).unwrap_or(i64::MAX));
        let mut allocated = self.lock_month(month)?;
        if self.version()? != version {
            return Ok(QuotaGrant::StaleVersion);
        }
        if allocated > limit {
            allocated = self.recall_blocks(month)?;
        }
        let free = units.min(limit.saturating_sub(allocated)).max(0);
        if free > 0 {
            self.settle(month, free)?;
        }
        let remainder = if allocated > limit { 0 } else { units - free };
        let taken = if remainder > 0 { self.take_from_all_blocks(month, remainder)? } else { 0 };
        Ok(QuotaGrant::Counted(convert::count(free + taken)?))
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
        let sql = sql!(
            "SELECT coalesce(sum(requests) FILTER (WHERE day = $2), 0)::bigint,
                 coalesce(sum(requests) FILTER (WHERE day >= $3), 0)::bigint
             FROM request_counts WHERE workspace_id = $1 AND day >= least($2, $3)"
        );
        let sql = sql.returns::<(BigInt, BigInt)>().bind(self.workspace).bind(today);
        let (of_today, of_month): (i64, i64) = self.value(sql.bind(month))?;
        Ok((convert::count(of_today)?, convert::count(of_month)?))
    }
}

impl PgTx<'_> {
    /// Binds the values that nearly all of these statements start with: `$1` is the workspace, `$2` the month.
    fn in_month<ST>(&self, sql: Statement<ST>, month: Date) -> Statement<ST> {
        sql.bind(self.workspace).bind(month)
    }

    /// The committed version of the workspace.
    fn version(&mut self) -> Result<i64, StoreError> {
        let sql = sql!("SELECT version FROM workspaces WHERE id = $1").returns::<BigInt>();
        let workspace = self.workspace;
        self.value(sql.bind(workspace))
    }

    /// See [`TAKE_FROM_FREE_BLOCK`].
    fn take_from_free_block(&mut self, month: Date, limit: i64, version: i64) -> Result<bool, StoreError> {
        Ok(self.execute(self.free_block_query(month, limit, version))? > 0)
    }

    fn free_block_query(&self, month: Date, limit: i64, version: i64) -> Statement {
        let sql = sql!("{TAKE_FROM_FREE_BLOCK}");
        self.in_month(sql, month).bind(limit).bind(version)
    }

    /// Takes a unit of any block, waiting for transactions that have locked the last ones.
    fn take_from_any_block(&mut self, month: Date) -> Result<bool, StoreError> {
        let sql = sql!(
            "UPDATE crm_quota_blocks SET used = used + 1
             WHERE workspace_id = $1 AND month = $2 AND id = (
                 SELECT id FROM crm_quota_blocks
                 WHERE workspace_id = $1 AND month = $2 AND used < size
                 ORDER BY id LIMIT 1
                 FOR NO KEY UPDATE
             )"
        );
        Ok(self.execute(self.in_month(sql, month))? > 0)
    }

    /// Takes up to this many units from all blocks, waiting for transactions that have locked them; returns the number taken.
    fn take_from_all_blocks(&mut self, month: Date, units: i64) -> Result<i64, StoreError> {
        let sql = sql!(
            "WITH free AS MATERIALIZED (
                 SELECT id, size - used AS room FROM crm_quota_blocks
                 WHERE workspace_id = $1 AND month = $2 AND used < size
                 ORDER BY id FOR NO KEY UPDATE
             ), part AS (
                 SELECT id, least(room, $3 - (sum(room) OVER (ORDER BY id) - room)) AS units FROM free
             ), taken AS (
                 UPDATE crm_quota_blocks AS block SET used = used + part.units FROM part
                 WHERE block.workspace_id = $1 AND block.month = $2 AND block.id = part.id AND part.units > 0
                 RETURNING part.units
             )
             SELECT coalesce(sum(units), 0)::bigint FROM taken"
        );
        self.value(self.in_month(sql.returns::<BigInt>(), month).bind(units))
    }

    /// Counts units that were never allocated to a block; the month's row is locked.
    fn settle(&mut self, month: Date, units: i64) -> Result<(), StoreError> {
        let sql = sql!(
            "UPDATE crm_quota SET given = given + $3, settled = settled + $3 WHERE workspace_id = $1 AND month = $2"
        );
        self.execute(self.in_month(sql, month).bind(units)).map(drop)
    }

    /// The committed usage of the month; `None` if the month has no row yet.
    fn committed(&mut self, month: Date) -> Result<Option<i64>, StoreError> {
        let sql = sql!(
            "SELECT settled + coalesce(
                 (SELECT sum(used) FROM crm_quota_blocks WHERE workspace_id = $1 AND month = $2), 0)
             FROM crm_quota WHERE workspace_id = $1 AND month = $2"
        );
        self.first(self.in_month(sql.returns::<BigInt>(), month))
    }

    /// Locks the month's row and returns the number of allocated units. The transaction that inserts the row counts the records
    /// while holding its lock, in a separate statement that sees what was committed during the wait.
    fn lock_month(&mut self, month: Date) -> Result<i64, StoreError> {
        let sql = sql!(
            "INSERT INTO crm_quota (workspace_id, month, given, settled) VALUES ($1, $2, 0, 0)
             ON CONFLICT (workspace_id, month) DO NOTHING"
        );
        if self.execute(self.in_month(sql, month))? > 0 {
            let count = self.count_records(month)?;
            let sql = sql!("UPDATE crm_quota SET given = $3, settled = $3 WHERE workspace_id = $1 AND month = $2");
            self.execute(self.in_month(sql, month).bind(count))?;
            return Ok(count);
        }
        let sql = sql!("SELECT given FROM crm_quota WHERE workspace_id = $1 AND month = $2 FOR NO KEY UPDATE");
        // None: the transaction that inserted the row rolled back meanwhile; the retry inserts it.
        self.first(self.in_month(sql.returns::<BigInt>(), month))?.ok_or(StoreError::Contended)
    }

    /// The records created in the month that count against the quota, deleted ones included.
    fn count_records(&mut self, month: Date) -> Result<i64, StoreError> {
        self.value(count_query(self.workspace, month))
    }

    /// Settles all blocks, returns their unused units, and returns the number of units that remain allocated because they are
    /// used. Waits for every transaction that has locked a block.
    fn recall_blocks(&mut self, month: Date) -> Result<i64, StoreError> {
        let sql = sql!(
            "WITH gone AS (
                 DELETE FROM crm_quota_blocks WHERE workspace_id = $1 AND month = $2 RETURNING used
             ), total AS (
                 SELECT coalesce(sum(used), 0) AS used FROM gone
             )
             UPDATE crm_quota SET given = settled + total.used, settled = settled + total.used
             FROM total WHERE workspace_id = $1 AND month = $2
             RETURNING given"
        );
        self.value(self.in_month(sql.returns::<BigInt>(), month))
    }

    /// Allocates a block and takes its first unit. Also settles used-up blocks, so that there are few.
    fn take_from_new_block(&mut self, month: Date, size: i64) -> Result<bool, StoreError> {
        let sql = sql!(
            "WITH spent AS (
                 DELETE FROM crm_quota_blocks
                 WHERE workspace_id = $1 AND month = $2 AND id IN (
                     SELECT id FROM crm_quota_blocks
                     WHERE workspace_id = $1 AND month = $2 AND used = size
                     FOR UPDATE SKIP LOCKED
                 )
                 RETURNING used
             ), handed AS (
                 UPDATE crm_quota
                 SET settled = settled + (SELECT coalesce(sum(used), 0) FROM spent), given = given + $3::bigint
                 WHERE workspace_id = $1 AND month = $2
                 RETURNING workspace_id, month
             )
             INSERT INTO crm_quota_blocks (workspace_id, month, size, used)
             SELECT workspace_id, month, $3::bigint::integer, 1 FROM handed"
        );
        Ok(self.execute(self.in_month(sql, month).bind(size))? > 0)
    }
}

/// The number of records of a table created in a month; live, deleted and erased records have separate indexes.
macro_rules! created_in_month {
    ($table:literal) => {
        concat!(
            "(SELECT count(*) FROM ",
            $table,
            " WHERE workspace_id = $1 AND created_at >= $2 AND created_at < $3
                     AND deleted_at IS NULL)
             + (SELECT count(*) FROM ",
            $table,
            " WHERE workspace_id = $1 AND created_at >= $2 AND created_at < $3
                     AND deleted_at > '-infinity' AND erased_at IS NULL)
             + (SELECT count(*) FROM ",
            $table,
            " WHERE workspace_id = $1 AND created_at >= $2 AND created_at < $3
                     AND deleted_at IS NOT NULL AND erased_at IS NOT NULL)"
        )
    };
}

const CONTACTS: &str = created_in_month!("contacts");
const COMPANIES: &str = created_in_month!("companies");
const DEALS: &str = created_in_month!("deals");

pub(crate) fn count_query(workspace: Uuid, month: Date) -> Statement<BigInt> {
    let sql = sql!("SELECT {CONTACTS} + {COMPANIES} + {DEALS}");
    let start = month.midnight().assume_utc();
    sql.returns::<BigInt>().bind(workspace).bind(start).bind(month_end(start))
}
