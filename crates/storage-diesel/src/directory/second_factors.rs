//! Second factors of users, and the sign-ins that wait for one.

use diesel::prelude::*;
use domain::UserId;
use domain::identity::access::HashedSecret;
use domain::identity::accounts::{ChallengeLookup, SecondFactor, SecondFactorChange};
use domain::identity::workspaces::Role;
use domain::kernel::sealing::SealedSecret;
use domain::ports::StoreError;
use time::OffsetDateTime;
use uuid::Uuid;

use super::users::UserRow;
use crate::engine::convert;
use crate::engine::tx::PgTx;
use crate::identity::audit;
use crate::identity::challenges::ChallengeRow;
use crate::identity::workspaces::WorkspaceRow;
use crate::schema::{members, second_factors, sign_in_challenges, users, workspaces};

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = second_factors, primary_key(user_id))]
#[diesel(treat_none_as_default_value = false, treat_none_as_null = true)]
struct SecondFactorRow {
    user_id: Uuid,
    secret_key_id: String,
    secret: Vec<u8>,
    created_at: OffsetDateTime,
    confirmed_at: Option<OffsetDateTime>,
    last_step: i64,
    recovery_codes: Vec<Vec<u8>>,
    failures: i32,
    paused_until: Option<OffsetDateTime>,
    version: i64,
}

impl SecondFactorRow {
    fn of(factor: &SecondFactor) -> Self {
        let factor = factor.clone();
        Self {
            user_id: factor.user_id.0,
            secret_key_id: factor.secret.key_id,
            secret: factor.secret.sealed,
            created_at: factor.created_at,
            confirmed_at: factor.confirmed_at,
            last_step: factor.last_step,
            recovery_codes: factor.recovery_codes.iter().map(|code| code.as_bytes().to_vec()).collect(),
            failures: i32::try_from(factor.failures).unwrap_or(i32::MAX),
            paused_until: factor.paused_until,
            version: factor.version,
        }
    }

    fn into_factor(self) -> Result<SecondFactor, StoreError> {
        let codes: Result<Vec<HashedSecret>, _> = self.recovery_codes.into_iter().map(convert::secret).collect();
        Ok(SecondFactor {
            user_id: UserId(self.user_id),
            secret: SealedSecret { key_id: self.secret_key_id, sealed: self.secret },
            created_at: self.created_at,
            confirmed_at: self.confirmed_at,
            last_step: self.last_step,
            recovery_codes: codes?,
            failures: convert::small(self.failures.into())?,
            paused_until: self.paused_until,
            version: self.version,
        })
    }
}

pub(super) fn find(tx: &mut PgTx<'_>, user: UserId) -> Result<Option<SecondFactor>, StoreError> {
    let row: Option<SecondFactorRow> =
        tx.first(second_factors::table.find(user.0).select(SecondFactorRow::as_select()))?;
    row.map(SecondFactorRow::into_factor).transpose()
}

/// Returns whether the version was the expected one; if not, the caller must roll back.
pub(super) fn change(tx: &mut PgTx<'_>, change: &SecondFactorChange) -> Result<bool, StoreError> {
    let row = change.factor.as_ref().map(SecondFactorRow::of);
    let current = second_factors::table.find(change.user_id.0);
    let affected = match (change.expected, row) {
        (None, None) => 0,
        (None, Some(row)) => {
            tx.execute(diesel::insert_into(second_factors::table).values(row).on_conflict_do_nothing())?
        }
        (Some(version), Some(row)) => {
            tx.execute(diesel::update(current.filter(second_factors::version.eq(version))).set(row))?
        }
        (Some(version), None) => tx.execute(diesel::delete(current.filter(second_factors::version.eq(version))))?,
    };
    if affected == 0 {
        return Ok(false);
    }
    if change.switches {
        super::note_change(tx, change.user_id.0)?;
    }
    for (workspace, entry) in &change.entries {
        audit::append_in(tx, workspace.0, entry)?;
    }
    if let Some(email) = &change.email {
        crate::email::enqueue::enqueue(tx, std::slice::from_ref(email))?;
    }
    Ok(true)
}

/// A new password ends sign-ins that wait for a code, and resets the count of wrong codes: they may come from somebody with
/// the old password.
pub(super) fn forget_tries(tx: &mut PgTx<'_>, user: UserId) -> Result<(), StoreError> {
    tx.execute(diesel::delete(sign_in_challenges::table.filter(sign_in_challenges::user_id.eq(user.0))))?;
    let no_tries = (
        second_factors::failures.eq(0),
        second_factors::paused_until.eq(None::<OffsetDateTime>),
        second_factors::version.eq(second_factors::version + 1),
    );
    tx.execute(diesel::update(second_factors::table.find(user.0)).set(no_tries)).map(drop)
}

pub(super) fn find_challenge(tx: &mut PgTx<'_>, lookup_id: &str) -> Result<Option<ChallengeLookup>, StoreError> {
    let membership = members::workspace_id
        .eq(sign_in_challenges::workspace_id)
        .and(members::user_id.eq(sign_in_challenges::user_id));
    let query = sign_in_challenges::table
        .inner_join(members::table.on(membership))
        .inner_join(workspaces::table.on(workspaces::id.eq(sign_in_challenges::workspace_id)))
        .inner_join(users::table.on(users::id.eq(sign_in_challenges::user_id)))
        .filter(sign_in_challenges::lookup_id.eq(lookup_id.to_owned()))
        .filter(members::joined_at.is_not_null().and(members::deactivated_at.is_null()))
        .select((ChallengeRow::as_select(), WorkspaceRow::as_select(), UserRow::as_select(), members::role));
    let row: Option<(ChallengeRow, WorkspaceRow, UserRow, String)> = tx.first(query)?;
    row.map(|(challenge, workspace, user, role)| {
        Ok(ChallengeLookup {
            challenge: challenge.into_challenge()?,
            workspace: workspace.into_workspace()?,
            user: user.into_user(),
            role: convert::parse_stored(&role, Role::parse)?,
        })
    })
    .transpose()
}
