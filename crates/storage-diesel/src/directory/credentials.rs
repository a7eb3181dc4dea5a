//! Reads presented credentials, and the recent changes that invalidate cached ones.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::Uuid as SqlUuid;
use domain::identity::accounts::{Session, SessionLookup, SignInLinkLookup};
use domain::identity::api_keys::ApiKeyLookup;
use domain::identity::audit::AuditEntry;
use domain::identity::workspaces::{Role, Workspace};
use domain::ports::StoreError;
use domain::{SessionId, UserId, WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::activity::prune_sql;
use super::users::UserRow;
use crate::engine::columns::columns;
use crate::engine::convert;
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::identity::api_keys::ApiKeyRow;
use crate::identity::audit;
use crate::identity::sessions::SessionRow;
use crate::identity::sign_in_links::SignInLinkRow;
use crate::identity::workspaces::WorkspaceRow;
use crate::schema::{
    api_keys, members, second_factors, sessions, sign_in_challenges, sign_in_links, users, workspaces,
};

pub(super) fn find_api_key(tx: &mut PgTx<'_>, lookup_id: &str) -> Result<Option<ApiKeyLookup>, StoreError> {
    let query = api_keys::table
        .inner_join(workspaces::table.on(workspaces::id.eq(api_keys::workspace_id)))
        .filter(api_keys::lookup_id.eq(lookup_id.to_owned()))
        .select((ApiKeyRow::as_select(), WorkspaceRow::as_select()));
    let row: Option<(ApiKeyRow, WorkspaceRow)> = tx.first(query)?;
    row.map(|(key, workspace)| Ok(ApiKeyLookup { key: key.into_key()?, workspace: workspace.into_workspace()? }))
        .transpose()
}

pub(super) fn find_session(tx: &mut PgTx<'_>, lookup_id: &str) -> Result<Option<SessionLookup>, StoreError> {
    let membership = members::workspace_id.eq(sessions::workspace_id).and(members::user_id.eq(sessions::user_id));
    let query = sessions::table
        .inner_join(members::table.on(membership))
        .inner_join(workspaces::table.on(workspaces::id.eq(sessions::workspace_id)))
        .inner_join(users::table.on(users::id.eq(sessions::user_id)))
        .left_join(second_factors::table.on(second_factors::user_id.eq(sessions::user_id)))
        .filter(sessions::lookup_id.eq(lookup_id.to_owned()))
        .filter(members::joined_at.is_not_null().and(members::deactivated_at.is_null()))
        .select((
            SessionRow::as_select(),
            WorkspaceRow::as_select(),
            members::role,
            users::name,
            second_factors::confirmed_at.nullable(),
            users::is_operator,
        ));
    let row: Option<(SessionRow, WorkspaceRow, String, String, Option<OffsetDateTime>, bool)> = tx.first(query)?;
    row.map(|(session, workspace, role, user_name, second_factor_since, is_operator)| {
        Ok(SessionLookup {
            session: session.into_session()?,
            workspace: workspace.into_workspace()?,
            role: convert::parse_stored(&role, Role::parse)?,
            user_name,
            second_factor_since,
            is_operator,
        })
    })
    .transpose()
}

pub(super) fn list_sessions(
    tx: &mut PgTx<'_>,
    user: UserId,
    now: OffsetDateTime,
    limit: u32,
) -> Result<Vec<(Session, Workspace)>, StoreError> {
    let rows: Vec<(SessionRow, WorkspaceRow)> = tx.load(sessions_query(user.0, now, limit))?;
    rows.into_iter().map(|(session, workspace)| Ok((session.into_session()?, workspace.into_workspace()?))).collect()
}

const SESSION_COLUMNS: &str = columns!(SessionRow, "sessions.");
const WORKSPACE_COLUMNS: &str = columns!(WorkspaceRow, "workspaces.");

pub(crate) fn sessions_query(
    user: Uuid,
    now: OffsetDateTime,
    limit: u32,
) -> Statement<(RowOf<SessionRow>, RowOf<WorkspaceRow>)> {
    let sql = sql!(
        "SELECT {SESSION_COLUMNS}, {WORKSPACE_COLUMNS}
         FROM sessions JOIN workspaces ON workspaces.id = sessions.workspace_id
         WHERE sessions.user_id = $1 AND sessions.expires_at > $2
         ORDER BY coalesce(sessions.last_used_at, sessions.created_at) DESC, sessions.id DESC LIMIT $3"
    );
    sql.returns().bind(user).bind(now).bind(i64::from(limit))
}

pub(super) fn end_session(
    tx: &mut PgTx<'_>,
    user: UserId,
    id: SessionId,
    entry: &AuditEntry,
) -> Result<bool, StoreError> {
    let users_session = sessions::table.filter(sessions::user_id.eq(user.0)).filter(sessions::id.eq(id.0));
    let workspace_id: Option<Uuid> = tx.first(diesel::delete(users_session).returning(sessions::workspace_id))?;
    let Some(workspace) = workspace_id else { return Ok(false) };
    note_change(tx, id.0)?;
    audit::append_in(tx, workspace, entry)?;
    Ok(true)
}

/// The user's row is locked first, as for a new password: a session that starts concurrently is either visible here, or fails
/// because its basis has ended.
pub(super) fn end_all_sessions(
    tx: &mut PgTx<'_>,
    user: UserId,
    entries: &[(WorkspaceId, AuditEntry)],
) -> Result<(), StoreError> {
    let account = users::table.find(user.0).select(users::id).for_no_key_update();
    tx.first::<_, Uuid>(account)?;
    tx.execute(diesel::delete(sessions::table.filter(sessions::user_id.eq(user.0))))?;
    tx.execute(diesel::delete(sign_in_challenges::table.filter(sign_in_challenges::user_id.eq(user.0))))?;
    note_change(tx, user.0)?;
    entries.iter().try_for_each(|(workspace, entry)| audit::append_in(tx, workspace.0, entry))
}

pub(super) fn find_sign_in_link(tx: &mut PgTx<'_>, lookup_id: &str) -> Result<Option<SignInLinkLookup>, StoreError> {
    let membership =
        members::workspace_id.eq(sign_in_links::workspace_id).and(members::user_id.eq(sign_in_links::user_id));
    let query = sign_in_links::table
        .inner_join(members::table.on(membership))
        .inner_join(workspaces::table.on(workspaces::id.eq(sign_in_links::workspace_id)))
        .inner_join(users::table.on(users::id.eq(sign_in_links::user_id)))
        .filter(sign_in_links::lookup_id.eq(lookup_id.to_owned()))
        .filter(members::joined_at.is_not_null().and(members::deactivated_at.is_null()))
        .select((SignInLinkRow::as_select(), WorkspaceRow::as_select(), UserRow::as_select(), members::role));
    let row: Option<(SignInLinkRow, WorkspaceRow, UserRow, String)> = tx.first(query)?;
    let lookup = |(link, workspace, user, role): (SignInLinkRow, WorkspaceRow, UserRow, String)| {
        Ok(SignInLinkLookup {
            link: link.into_link()?,
            workspace: workspace.into_workspace()?,
            user: user.into_user(),
            role: convert::parse_stored(&role, Role::parse)?,
        })
    };
    row.map(lookup).transpose()
}

/// Recent changes, by the database's clock, which all instances share.
pub(super) fn changes(tx: &mut PgTx<'_>, within: Duration) -> Result<Vec<Uuid>, StoreError> {
    let micros = i64::try_from(within.as_micros()).unwrap_or(i64::MAX);
    let sql = sql!(
        "SELECT DISTINCT subject FROM credential_changes
         WHERE changed_at > clock_timestamp() - $1::bigint * interval '1 microsecond'"
    );
    tx.load(sql.returns::<SqlUuid>().bind(micros))
}

/// Invalidates the cached credentials of `subject` on all instances once this commits.
pub(crate) fn note_change(tx: &mut PgTx<'_>, subject: Uuid) -> Result<(), StoreError> {
    let sql = sql!("INSERT INTO credential_changes (subject) VALUES ($1)");
    tx.execute(sql.bind(subject)).map(drop)
}

/// Locked rows are left for the next run.
pub(super) fn prune(tx: &mut PgTx<'_>, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
    let (limit, is_cluster) = (i64::from(limit), tx.is_cluster);
    macro_rules! expired_sql {
        ($table:literal, $key:literal) => {
            prune_sql!(is_cluster, $table, $key, "expires_at < $1 ORDER BY expires_at")
        };
    }
    let mut pruned = 0;
    for sql in [
        expired_sql!("sessions", "workspace_id, id"),
        expired_sql!("password_resets", "user_id"),
        expired_sql!("sign_in_challenges", "workspace_id, lookup_id"),
        expired_sql!("sign_in_links", "workspace_id, user_id"),
        expired_sql!("tracking_links", "workspace_id, lookup_id"),
        expired_sql!("portal_sessions", "workspace_id, id"),
    ] {
        pruned += tx.execute(sql.bind(now).bind(limit))?;
    }
    let sql = sql!(
        "DELETE FROM credential_changes WHERE id IN (
             SELECT id FROM credential_changes WHERE changed_at < clock_timestamp() - interval '1 hour'
             ORDER BY changed_at LIMIT $1
             FOR UPDATE SKIP LOCKED
         )"
    );
    pruned += tx.execute(sql.bind(limit))?;
    Ok(pruned as u64)
}
