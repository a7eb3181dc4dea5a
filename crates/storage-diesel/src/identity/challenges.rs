//! Sign-ins that wait for the choice of a workspace or a code of the second factor.

use diesel::prelude::*;
use domain::identity::accounts::{FirstProof, PendingStep, SignInChallenge};
use domain::identity::workspaces::PasswordHash;
use domain::ports::{ChallengeRepo, StoreError};
use domain::{SessionId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::schema::sign_in_challenges;

#[derive(Queryable, Selectable)]
#[diesel(table_name = sign_in_challenges)]
pub(crate) struct ChallengeRow {
    lookup_id: String,
    user_id: Uuid,
    secret_hash: Vec<u8>,
    expires_at: OffsetDateTime,
    tries: i32,
    awaits: String,
    first_proof: String,
    session_id: Option<Uuid>,
    session_ends_at: Option<OffsetDateTime>,
}

impl ChallengeRow {
    pub(crate) fn into_challenge(self) -> Result<SignInChallenge, StoreError> {
        let awaits = self.awaits()?;
        Ok(SignInChallenge {
            user_id: UserId(self.user_id),
            lookup_id: self.lookup_id,
            secret: convert::secret(self.secret_hash)?,
            expires_at: self.expires_at,
            tries: convert::small(self.tries.into())?,
            awaits,
        })
    }

    fn awaits(&self) -> Result<PendingStep, StoreError> {
        let first = match (&*self.first_proof, self.session_id, self.session_ends_at) {
            ("password", None, None) => FirstProof::Password,
            ("link", None, None) => FirstProof::Link,
            ("session", Some(id), Some(ends_at)) => FirstProof::Session { id: SessionId(id), ends_at },
            (other, ..) => return Err(malformed("first_proof", other)),
        };
        match &*self.awaits {
            "workspace" => Ok(PendingStep::Workspace),
            "code" => Ok(PendingStep::Code(first)),
            other => Err(malformed("awaits", other)),
        }
    }
}

fn malformed(column: &str, text: &str) -> StoreError {
    StoreError::Internal(format!("a stored sign-in has the {column} {text:?}"))
}

/// The values of `awaits` and `first_proof`, and of the session's columns.
const fn columns_of(awaited: PendingStep) -> (&'static str, &'static str, Option<(Uuid, OffsetDateTime)>) {
    match awaited {
        PendingStep::Workspace => ("workspace", "password", None),
        PendingStep::Code(FirstProof::Password) => ("code", "password", None),
        PendingStep::Code(FirstProof::Link) => ("code", "link", None),
        PendingStep::Code(FirstProof::Session { id, ends_at }) => ("code", "session", Some((id.0, ends_at))),
    }
}

impl ChallengeRepo for PgTx<'_> {
    /// Locks as for a session: a change of password is either visible here, or sees this challenge and ends it.
    fn insert(
        &mut self,
        challenge: &SignInChallenge,
        password: Option<&PasswordHash>,
        most: u32,
    ) -> Result<bool, StoreError> {
        let sql = sql!(
            "INSERT INTO sign_in_challenges (workspace_id, user_id, lookup_id, secret_hash, expires_at, tries, awaits,
                 first_proof, session_id, session_ends_at)
             SELECT members.workspace_id, members.user_id, $1, $2, $3, $4, $8, $9, $10, $11
             FROM members JOIN users ON users.id = members.user_id
             WHERE members.joined_at IS NOT NULL AND members.deactivated_at IS NULL
                 AND members.workspace_id = $5 AND members.user_id = $6
                 AND users.password_hash IS NOT DISTINCT FROM $7
             FOR SHARE"
        );
        let sql = sql.bind(challenge.lookup_id.clone()).bind(challenge.secret.as_bytes().to_vec());
        let sql = sql.bind(challenge.expires_at).bind(i32::try_from(challenge.tries).unwrap_or(i32::MAX));
        let sql = sql.bind(self.workspace).bind(challenge.user_id.0).bind(password.map(|hash| hash.0.clone()));
        let (awaits, first_proof, session) = columns_of(challenge.awaits);
        let (session_id, session_ends_at) = session.unzip();
        let is_added = self.execute(sql.bind(awaits).bind(first_proof).bind(session_id).bind(session_ends_at))? > 0;
        if is_added {
            self.execute(surplus_query(self.workspace, challenge.user_id.0, most))?;
        }
        Ok(is_added)
    }

    fn take_try(&mut self, lookup_id: &str, now: OffsetDateTime, most: u32) -> Result<bool, StoreError> {
        let open = sign_in_challenges::table
            .find((self.workspace, lookup_id.to_owned()))
            .filter(sign_in_challenges::expires_at.gt(now))
            .filter(sign_in_challenges::tries.lt(i32::try_from(most).unwrap_or(i32::MAX)));
        let one_more_try = sign_in_challenges::tries.eq(sign_in_challenges::tries + 1);
        Ok(self.execute(diesel::update(open).set(one_more_try))? > 0)
    }

    fn remove(&mut self, lookup_id: &str) -> Result<bool, StoreError> {
        let challenge = sign_in_challenges::table.find((self.workspace, lookup_id.to_owned()));
        Ok(self.execute(diesel::delete(challenge))? > 0)
    }
}

pub(crate) fn surplus_query(workspace: Uuid, user: Uuid, most: u32) -> Statement {
    let sql = sql!(
        "DELETE FROM sign_in_challenges WHERE workspace_id = $1 AND lookup_id IN (
             SELECT lookup_id FROM sign_in_challenges WHERE workspace_id = $1 AND user_id = $2
             ORDER BY expires_at DESC, lookup_id OFFSET $3
             FOR UPDATE SKIP LOCKED
         )"
    );
    sql.bind(workspace).bind(user).bind(i64::from(most))
}
