//! The places that users signed in from. Sign-ins belong to users, who span workspaces.

use diesel::prelude::*;
use diesel::sql_types::Text;
use domain::UserId;
use domain::identity::accounts::SignInPlace;
use domain::limits::AddressGroup;
use domain::ports::StoreError;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::schema::sign_ins;

/// Whether the user has signed in from this network before.
pub(crate) fn is_known(tx: &mut PgTx<'_>, user: UserId, network: AddressGroup) -> Result<bool, StoreError> {
    let row = sign_ins::table.filter(sign_ins::user_id.eq(user.0)).filter(sign_ins::network.eq(network.to_string()));
    let user_id: Option<Uuid> = tx.first(row.select(sign_ins::user_id))?;
    Ok(user_id.is_some())
}

/// Returns where the user signed in before, latest first; then records the current place, and drops those beyond `keep`. A user
/// has at most `keep` rows, so no index other than the primary key is needed.
pub(super) fn note(
    tx: &mut PgTx<'_>,
    user: UserId,
    here: &SignInPlace,
    keep: u32,
    now: OffsetDateTime,
) -> Result<Vec<SignInPlace>, StoreError> {
    let rows: Vec<(String, String)> = tx.load(earlier_query(user))?;
    tx.execute(note_query(user, here, now))?;
    if rows.len() >= keep as usize {
        tx.execute(prune_query(user, keep))?;
    }
    let places = rows.into_iter().map(|(network, device)| {
        Ok(SignInPlace { network: convert::parse_stored(&network, AddressGroup::parse)?, device })
    });
    places.collect()
}

pub(crate) fn earlier_query(user: UserId) -> Statement<(Text, Text)> {
    let sql = sql!(
        "SELECT network, device FROM sign_ins WHERE user_id = $1
         ORDER BY last_seen_at DESC, network, device"
    );
    sql.returns().bind(user.0)
}

fn note_query(user: UserId, place: &SignInPlace, now: OffsetDateTime) -> Statement {
    let sql = sql!(
        "INSERT INTO sign_ins AS known (user_id, network, device, first_seen_at, last_seen_at)
         VALUES ($1, $2, $3, $4, $4)
         ON CONFLICT (user_id, network, device) DO UPDATE
             SET last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)"
    );
    sql.bind(user.0).bind(place.network.to_string()).bind(place.device.clone()).bind(now)
}

/// In a fixed order, so that concurrent sign-ins of one user cannot deadlock.
pub(crate) fn prune_query(user: UserId, keep: u32) -> Statement {
    let sql = sql!(
        "DELETE FROM sign_ins WHERE (user_id, network, device) IN (
             SELECT user_id, network, device FROM sign_ins WHERE user_id = $1
             ORDER BY last_seen_at DESC, network, device OFFSET $2
             FOR UPDATE
         )"
    );
    sql.bind(user.0).bind(i64::from(keep))
}
