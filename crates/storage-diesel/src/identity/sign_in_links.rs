//! Links for signing in on the service's own machine.

use diesel::prelude::*;
use domain::UserId;
use domain::identity::accounts::SignInLink;
use domain::ports::StoreError;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::statement::sql;
use crate::engine::tx::PgTx;
use crate::schema::sign_in_links;

#[derive(Queryable, Selectable)]
#[diesel(table_name = sign_in_links)]
pub(crate) struct SignInLinkRow {
    user_id: Uuid,
    lookup_id: String,
    secret_hash: Vec<u8>,
    expires_at: OffsetDateTime,
    used_at: Option<OffsetDateTime>,
}

impl SignInLinkRow {
    pub(crate) fn into_link(self) -> Result<SignInLink, StoreError> {
        Ok(SignInLink {
            user_id: UserId(self.user_id),
            lookup_id: self.lookup_id,
            secret: convert::secret(self.secret_hash)?,
            expires_at: self.expires_at,
            used_at: self.used_at,
        })
    }
}

pub(super) fn put(tx: &mut PgTx<'_>, link: &SignInLink) -> Result<(), StoreError> {
    let sql = sql!(
        "INSERT INTO sign_in_links (workspace_id, user_id, lookup_id, secret_hash, expires_at, used_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (workspace_id, user_id) DO UPDATE SET (lookup_id, secret_hash, expires_at, used_at) =
             (excluded.lookup_id, excluded.secret_hash, excluded.expires_at, excluded.used_at)"
    );
    let sql = sql.bind(tx.workspace).bind(link.user_id.0).bind(link.lookup_id.clone());
    tx.execute(sql.bind(link.secret.as_bytes().to_vec()).bind(link.expires_at).bind(link.used_at)).map(drop)
}

pub(super) fn use_up(tx: &mut PgTx<'_>, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError> {
    let open = sign_in_links::table
        .filter(sign_in_links::workspace_id.eq(tx.workspace))
        .filter(sign_in_links::lookup_id.eq(lookup_id.to_owned()))
        .filter(sign_in_links::used_at.is_null())
        .filter(sign_in_links::expires_at.gt(now));
    Ok(tx.execute(diesel::update(open).set(sign_in_links::used_at.eq(now)))? > 0)
}
