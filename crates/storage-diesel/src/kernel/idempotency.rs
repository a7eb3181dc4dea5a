//! Stored responses of idempotency keys.

use diesel::sql_types::{Binary, Bool, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use domain::kernel::idempotency::{ClaimResult, IdempotencyClaim, StoredResponse};
use domain::ports::{IdempotencyRepo, StoreError};

use crate::statement::sql;
use crate::tx::PgTx;

/// Whether this transaction got the key's lock, and the stored response.
type ClaimColumns = (Bool, Nullable<Binary>, Nullable<SmallInt>, Nullable<Text>, Nullable<Text>);
type ClaimRow = (bool, Option<Vec<u8>>, Option<i16>, Option<String>, Option<String>);

impl PgTx<'_> {
    /// Tries the lock and reads the response in one statement, which sees what was committed before it began.
    fn try_claim(&mut self, claim: &IdempotencyClaim) -> Result<ClaimResult, StoreError> {
        let workspace = self.workspace;
        let lock = format!("idempotency {workspace} {} {} {}", claim.credential, claim.route, claim.key);
        let sql = sql!(
            "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)), kept.fingerprint, kept.status, kept.body,
                 kept.location
             FROM (VALUES (1)) AS one
             LEFT JOIN idempotency_keys AS kept ON kept.workspace_id = $2 AND kept.credential_id = $3
                 AND kept.route = $4 AND kept.key = $5 AND kept.created_at >= $6"
        );
        let sql = sql.returns::<ClaimColumns>().bind::<Text, _>(lock).bind::<SqlUuid, _>(workspace);
        let sql = sql.bind::<SqlUuid, _>(claim.credential).bind::<Text, _>(claim.route);
        let sql = sql.bind::<Text, _>(claim.key.clone()).bind::<Timestamptz, _>(claim.oldest);
        let row: ClaimRow = self.value(sql)?;
        match row {
            (_, Some(fingerprint), Some(status), Some(body), location) => kept(fingerprint, status, body, location),
            (true, ..) => Ok(ClaimResult::Free),
            (false, ..) => Ok(ClaimResult::Running),
        }
    }
}

impl IdempotencyRepo for PgTx<'_> {
    /// The first request may commit its response after the statement began and before this one got the lock. Holding
    /// the lock, a second read sees everything.
    fn claim(&mut self, claim: &IdempotencyClaim) -> Result<ClaimResult, StoreError> {
        match self.try_claim(claim)? {
            ClaimResult::Free => self.try_claim(claim),
            other => Ok(other),
        }
    }

    fn keep(&mut self, claim: &IdempotencyClaim, answer: &StoredResponse) -> Result<(), StoreError> {
        let status = i16::try_from(answer.status)
            .map_err(|_| StoreError::Internal(format!("{} is not a response status", answer.status)))?;
        let sql = sql!(
            "INSERT INTO idempotency_keys AS kept
                 (workspace_id, credential_id, route, key, fingerprint, status, location, body, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             ON CONFLICT (workspace_id, credential_id, route, key) DO UPDATE SET
                 (fingerprint, status, location, body, created_at) =
                 (excluded.fingerprint, excluded.status, excluded.location, excluded.body, excluded.created_at)
             WHERE kept.created_at < $10"
        );
        let sql = sql.bind::<SqlUuid, _>(self.workspace).bind::<SqlUuid, _>(claim.credential);
        let sql = sql.bind::<Text, _>(claim.route).bind::<Text, _>(claim.key.clone());
        let sql = sql.bind::<Binary, _>(claim.fingerprint.to_vec()).bind::<SmallInt, _>(status);
        let sql = sql.bind::<Nullable<Text>, _>(answer.location.clone()).bind::<Text, _>(answer.body.clone());
        let affected = self.execute(sql.bind::<Timestamptz, _>(claim.now).bind::<Timestamptz, _>(claim.oldest))?;
        // No other transaction can have stored a response under the lock: an internal error that a retry may clear.
        if affected == 0 { Err(StoreError::Contended) } else { Ok(()) }
    }
}

fn kept(fingerprint: Vec<u8>, status: i16, body: String, location: Option<String>) -> Result<ClaimResult, StoreError> {
    let broken = || StoreError::Internal("a stored response is corrupt".to_owned());
    let fingerprint = fingerprint.try_into().map_err(|_| broken())?;
    let status = u16::try_from(status).map_err(|_| broken())?;
    Ok(ClaimResult::Kept { fingerprint, answer: StoredResponse { status, location, body } })
}
