//! Stored responses of idempotency keys.

use const_format::formatcp;
use diesel::sql_types::{BigInt, Binary, Bool, Nullable, SmallInt, Text, Timestamptz};
use domain::kernel::idempotency::{ClaimResult, IdempotencyClaim, KeepResult, RETENTION, StoredResponse};
use domain::limits::Window;
use domain::ports::{IdempotencyRepo, StoreError};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::engine::pending::{PendingWrite, WriteName};
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// Whether this transaction acquired the key's lock; and the stored response.
type ClaimColumns = (Bool, Nullable<Binary>, Nullable<SmallInt>, Nullable<Text>, Nullable<Text>);
type ClaimRow = (bool, Option<Vec<u8>>, Option<i16>, Option<String>, Option<String>);

impl PgTx<'_> {
    /// Tries the lock and reads the response in one statement, which sees only what was committed before it began.
    fn try_claim(&mut self, claim: &IdempotencyClaim) -> Result<ClaimResult, StoreError> {
        let workspace = self.workspace;
        let lock = lock_of(workspace, claim);
        let sql = sql!(
            "SELECT {TRY_LOCK}, kept.fingerprint, kept.status, kept.body,
                 kept.location
             FROM (VALUES (1)) AS one
             LEFT JOIN idempotency_keys AS kept ON kept.workspace_id = $2 AND kept.credential_id = $3
                 AND kept.route = $4 AND kept.key = $5 AND kept.created_at >= $6"
        );
        let sql = sql.returns::<ClaimColumns>().bind(lock).bind(workspace).bind(claim.credential).bind(claim.route);
        let row: ClaimRow = self.value(sql.bind(claim.key.clone()).bind(claim.oldest))?;
        match row {
            (_, Some(fingerprint), Some(status), Some(body), location) => reply(fingerprint, status, body, location),
            (true, ..) => Ok(ClaimResult::Free),
            (false, ..) => Ok(ClaimResult::Running),
        }
    }
}

impl IdempotencyRepo for PgTx<'_> {
    /// The first request may commit its response after this statement began and before it acquired the lock. A second read,
    /// under the lock, sees everything.
    ///
    /// If batched with other writes, the statement only tries the lock and checks that there is no response yet.
    fn claim(&mut self, claim: &IdempotencyClaim) -> Result<ClaimResult, StoreError> {
        if self.batches_writes() {
            let binds = Statement::new("").bind(lock_of(self.workspace, claim)).bind(self.workspace);
            let binds = binds.bind(claim.credential).bind(claim.route).bind(claim.key.clone()).bind(claim.oldest);
            self.write_later(PendingWrite::new(WriteName::Claim, binds).holds(IS_FREE))?;
            return Ok(ClaimResult::Free);
        }
        match self.try_claim(claim)? {
            ClaimResult::Free => self.try_claim(claim),
            other => Ok(other),
        }
    }

    /// In the lower half of the budget, nothing waits. In the upper half, transactions of the workspace take turns, so that each
    /// sees what earlier ones stored.
    fn keep(&mut self, claim: &IdempotencyClaim, answer: &StoredResponse) -> Result<KeepResult, StoreError> {
        let budget = i64::try_from(claim.budget.0).unwrap_or(i64::MAX);
        if self.batches_writes() {
            let binds = store_query(self.workspace, claim, answer, budget / 2)?;
            let write = PendingWrite::new(WriteName::Response, binds).with(ROOM).then(STORED);
            self.write_later(write.holds("(SELECT fits FROM room)").ensures("EXISTS (SELECT FROM stored)"))?;
            return Ok(KeepResult::Kept);
        }
        let unlocked = self.store_within(claim, answer, budget / 2)?;
        if unlocked == KeepResult::Kept {
            return Ok(unlocked);
        }
        // Runs on the node with the workspace's rows, regardless of the node that the service is connected to.
        let lock = sql!(
            "SELECT FROM (SELECT pg_advisory_xact_lock(hashtextextended($1, 0))
             FROM (SELECT count(*) FROM idempotency_bytes WHERE workspace_id = $2) AS here) AS locked"
        );
        let lock = lock.bind(format!("idempotency budget {}", self.workspace));
        let workspace = self.workspace;
        self.execute(lock.bind(workspace))?;
        self.store_within(claim, answer, budget)
    }
}

/// Whether the response fits, the oldest counted hour, and the number of stored responses.
type StoredColumns = (Bool, Nullable<Timestamptz>, BigInt);
type StoredRow = (bool, Option<OffsetDateTime>, i64);

impl PgTx<'_> {
    /// Stores a response if the workspace's responses then have at most `limit` bytes. The bytes are added to any row of the hour
    /// that no other transaction has locked, or to a new row, so that no transaction waits for another's commit.
    fn store_within(
        &mut self,
        claim: &IdempotencyClaim,
        answer: &StoredResponse,
        limit: i64,
    ) -> Result<KeepResult, StoreError> {
        let (fits, oldest, stored): StoredRow = self.value(store_query(self.workspace, claim, answer, limit)?)?;
        match (fits, stored) {
            // The rows of an hour are pruned once its last response has expired.
            (false, _) => {
                Ok(KeepResult::OverBudget { room_at: oldest.unwrap_or(claim.now) + Duration::HOUR + RETENTION })
            }
            // Under the lock, no other transaction can have stored a response: an internal error that a retry may clear.
            (true, 0) => Err(StoreError::Contended),
            (true, _) => Ok(KeepResult::Kept),
        }
    }
}

/// Tries the lock `$1` of a claim.
const TRY_LOCK: &str = "pg_try_advisory_xact_lock(hashtextextended($1, 0))";

/// Tries the lock, and checks that no response is stored.
const IS_FREE: &str = formatcp!(
    "{TRY_LOCK} AND NOT EXISTS (SELECT FROM idempotency_keys
         WHERE workspace_id = $2 AND credential_id = $3 AND route = $4 AND key = $5 AND created_at >= $6)"
);

fn lock_of(workspace: Uuid, claim: &IdempotencyClaim) -> String {
    format!("idempotency {workspace} {} {} {}", claim.credential, claim.route, claim.key)
}

const ROOM: &str = "room AS (
         SELECT coalesce(sum(bytes), 0) + $10::bigint <= $11::bigint AS fits, min(hour) AS oldest
         FROM idempotency_bytes WHERE workspace_id = $1
     )";
/// Stores nothing if `gate` has no row.
const STORED: &str = "slot AS (
         SELECT id FROM idempotency_bytes
         WHERE workspace_id = $1 AND hour = $12 AND (SELECT fits FROM room) AND EXISTS (SELECT FROM gate)
         ORDER BY id LIMIT 1
         FOR NO KEY UPDATE SKIP LOCKED
     ), counted AS (
         UPDATE idempotency_bytes SET bytes = bytes + $10::bigint
         WHERE workspace_id = $1 AND hour = $12 AND id = (SELECT id FROM slot)
     ), added AS (
         INSERT INTO idempotency_bytes (workspace_id, hour, bytes)
         SELECT $1, $12, $10::bigint FROM room CROSS JOIN gate WHERE fits AND NOT EXISTS (SELECT FROM slot)
     ), stored AS (
         INSERT INTO idempotency_keys AS kept
             (workspace_id, credential_id, route, key, fingerprint, status, location, body, created_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9 FROM room CROSS JOIN gate WHERE fits
         ON CONFLICT (workspace_id, credential_id, route, key) DO UPDATE SET
             (fingerprint, status, location, body, created_at) =
             (excluded.fingerprint, excluded.status, excluded.location, excluded.body, excluded.created_at)
         WHERE kept.created_at < $13
         RETURNING 1
     )";

pub(crate) fn store_query(
    workspace: Uuid,
    claim: &IdempotencyClaim,
    answer: &StoredResponse,
    limit: i64,
) -> Result<Statement<StoredColumns>, StoreError> {
    let status = i16::try_from(answer.status)
        .map_err(|_| StoreError::Internal(format!("{} is not a response status", answer.status)))?;
    let sql =
        sql!("WITH gate AS (SELECT), {ROOM}, {STORED} SELECT fits, oldest, (SELECT count(*) FROM stored) FROM room");
    let sql = sql.returns::<StoredColumns>().bind(workspace).bind(claim.credential).bind(claim.route);
    let sql = sql.bind(claim.key.clone()).bind(claim.fingerprint.to_vec()).bind(status).bind(answer.location.clone());
    let sql = sql.bind(answer.body.clone());
    let bytes = i64::try_from(claim.bytes_of(answer)).unwrap_or(i64::MAX);
    Ok(sql.bind(claim.now).bind(bytes).bind(limit).bind(Window::Hour.start_of(claim.now)).bind(claim.oldest))
}

fn reply(fingerprint: Vec<u8>, status: i16, body: String, location: Option<String>) -> Result<ClaimResult, StoreError> {
    let broken = || StoreError::Internal("a stored response is corrupt".to_owned());
    let fingerprint = fingerprint.try_into().map_err(|_| broken())?;
    let status = u16::try_from(status).map_err(|_| broken())?;
    Ok(ClaimResult::Kept { fingerprint, answer: StoredResponse { status, location, body } })
}
