//! Sessions of users in the workspace.

use diesel::prelude::*;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use domain::identity::accounts::{Session, SignInLink, SignInPlace, UserAgent};
use domain::identity::workspaces::{PasswordHash, Role};
use domain::ports::{SessionRepo, StoreError};
use domain::{SessionId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{sign_in_links, sign_ins};
use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::schema::sessions;

#[derive(Queryable, Selectable)]
#[diesel(table_name = sessions)]
pub(crate) struct SessionRow {
    id: Uuid,
    user_id: Uuid,
    lookup_id: String,
    secret_hash: Vec<u8>,
    created_at: OffsetDateTime,
    expires_at: OffsetDateTime,
    user_agent: Option<String>,
    address: Option<String>,
    last_used_at: Option<OffsetDateTime>,
}

impl SessionRow {
    pub(crate) fn into_session(self) -> Result<Session, StoreError> {
        Ok(Session {
            id: SessionId(self.id),
            user_id: UserId(self.user_id),
            lookup_id: self.lookup_id,
            secret: convert::secret(self.secret_hash)?,
            user_agent: self.user_agent.as_deref().and_then(UserAgent::parse),
            address: self.address.map(|text| convert::parse_stored(&text, |text| text.parse().ok())).transpose()?,
            created_at: self.created_at,
            last_used_at: self.last_used_at.unwrap_or(self.created_at),
            expires_at: self.expires_at,
        })
    }
}

impl SessionRepo for PgTx<'_> {
    /// The share locks wait for a concurrent change of the password or membership, and make later ones wait. Such a
    /// change is therefore either visible here, or sees this session and ends it.
    fn insert(&mut self, session: &Session, password: Option<&PasswordHash>) -> Result<bool, StoreError> {
        let sql = sql!(
            "INSERT INTO sessions (workspace_id, user_id, id, lookup_id, secret_hash, created_at, expires_at,
                 user_agent, address, last_used_at)
             SELECT members.workspace_id, members.user_id, $1, $2, $3, $4, $5, $9, $10, $11
             FROM members JOIN users ON users.id = members.user_id
             WHERE members.joined_at IS NOT NULL AND members.deactivated_at IS NULL
                 AND members.workspace_id = $6 AND members.user_id = $7 AND users.password_hash IS NOT DISTINCT FROM $8
             FOR SHARE"
        );
        let sql = sql.bind(session.id.0).bind(session.lookup_id.clone()).bind(session.secret.as_bytes().to_vec());
        let sql = sql.bind(session.created_at).bind(session.expires_at).bind(self.workspace).bind(session.user_id.0);
        let sql = sql.bind(password.map(|hash| hash.0.clone()));
        let sql = sql.bind(session.user_agent.as_ref().map(|agent| agent.as_str().to_owned()));
        Ok(self.execute(sql.bind(session.address.map(|address| address.to_string())).bind(session.last_used_at))? > 0)
    }

    fn is_alive(&mut self, user: UserId, id: SessionId, now: OffsetDateTime) -> Result<bool, StoreError> {
        Ok(self.first::<_, Uuid>(alive_query(user.0, id.0, now))?.is_some())
    }

    fn put_link(&mut self, link: &SignInLink) -> Result<(), StoreError> {
        sign_in_links::put(self, link)
    }

    fn use_link(&mut self, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError> {
        sign_in_links::use_up(self, lookup_id, now)
    }

    fn role_now(&mut self, id: SessionId, now: OffsetDateTime) -> Result<Option<Role>, StoreError> {
        let sql = sql!(
            "SELECT members.role FROM sessions
             JOIN members ON members.workspace_id = sessions.workspace_id AND members.user_id = sessions.user_id
             JOIN workspaces ON workspaces.id = sessions.workspace_id
             WHERE members.joined_at IS NOT NULL AND members.deactivated_at IS NULL
                 AND workspaces.status = 'active' AND sessions.expires_at > $1
                 AND sessions.workspace_id = $2 AND sessions.id = $3
             FOR KEY SHARE OF sessions"
        );
        let role: Option<String> = self.first(sql.returns::<Text>().bind(now).bind(self.workspace).bind(id.0))?;
        role.map(|role| convert::parse_stored(&role, Role::parse)).transpose()
    }

    fn note_sign_in(
        &mut self,
        user: UserId,
        here: &SignInPlace,
        keep: u32,
        now: OffsetDateTime,
    ) -> Result<Vec<SignInPlace>, StoreError> {
        sign_ins::note(self, user, here, keep, now)
    }

    fn end(&mut self, id: SessionId) -> Result<(), StoreError> {
        self.execute(diesel::delete(sessions::table.find((self.workspace, id.0)))).map(drop)
    }

    fn end_all_but(&mut self, user: UserId, most: u32) -> Result<Vec<SessionId>, StoreError> {
        let surplus: Vec<Uuid> = self.load(surplus_query(self.workspace, user.0, most))?;
        Ok(surplus.into_iter().map(SessionId).collect())
    }

    fn end_all_of(&mut self, user: UserId) -> Result<(), StoreError> {
        let users_sessions =
            sessions::table.filter(sessions::workspace_id.eq(self.workspace)).filter(sessions::user_id.eq(user.0));
        self.execute(diesel::delete(users_sessions)).map(drop)
    }
}

/// Looks among the user's sessions in any workspace.
pub(crate) fn alive_query(user: Uuid, id: Uuid, now: OffsetDateTime) -> Statement<SqlUuid> {
    let sql = sql!("SELECT id FROM sessions WHERE user_id = $1 AND id = $2 AND expires_at > $3 FOR KEY SHARE");
    sql.returns().bind(user).bind(id).bind(now)
}

/// Ends a user's sessions beyond the most recently used ones. Concurrent sign-ins end the same sessions, and one of them
/// skips those that the other has locked.
pub(crate) fn surplus_query(workspace: Uuid, user: Uuid, most: u32) -> Statement<SqlUuid> {
    let sql = sql!(
        "DELETE FROM sessions WHERE workspace_id = $1 AND id IN (
             SELECT id FROM sessions WHERE workspace_id = $1 AND user_id = $2
             ORDER BY coalesce(last_used_at, created_at) DESC, id DESC OFFSET $3
             FOR UPDATE SKIP LOCKED
         )
         RETURNING id"
    );
    sql.returns().bind(workspace).bind(user).bind(i64::from(most))
}
