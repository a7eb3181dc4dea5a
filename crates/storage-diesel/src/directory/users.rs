//! Users across workspaces: identity, passwords, and the links mailed to them.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use domain::UserId;
use domain::email::QueuedEmail;
use domain::identity::accounts::{
    InvitationLookup, LoginLookup, Membership, PasswordChange, PasswordProof, PasswordReset, UserAccount,
};
use domain::identity::members::Invitation;
use domain::identity::notifications::NotificationChoices;
use domain::identity::workspaces::{PasswordHash, Role, User};
use domain::kernel::input::EmailKey;
use domain::limits::AddressGroup;
use domain::ports::StoreError;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::columns::columns;
use crate::engine::convert;
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::identity::audit;
use crate::identity::members::MemberRow;
use crate::identity::sign_ins;
use crate::identity::workspaces::WorkspaceRow;
use crate::schema::{invitations, members, password_resets, sessions, users, workspaces};

const USER_COLUMNS: &str = columns!(UserRow);
const WORKSPACE_COLUMNS: &str = columns!(WorkspaceRow, "workspaces.");

#[derive(Queryable, Selectable)]
#[diesel(table_name = users)]
pub(crate) struct UserRow {
    id: Uuid,
    email: String,
    name: String,
    password_hash: Option<String>,
    created_at: OffsetDateTime,
    notify_assigned: bool,
    notify_replies: bool,
    is_operator: bool,
}

impl UserRow {
    fn into_account(self, memberships: Vec<Membership>) -> UserAccount {
        let is_operator = self.is_operator;
        UserAccount { user: self.into_user(), memberships, is_operator }
    }

    pub(super) fn into_user(self) -> User {
        User {
            id: UserId(self.id),
            email: self.email,
            name: self.name,
            password: self.password_hash.map(PasswordHash),
            notifications: NotificationChoices { assigned: self.notify_assigned, replies: self.notify_replies },
            created_at: self.created_at,
        }
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = invitations)]
struct InvitationRow {
    user_id: Uuid,
    lookup_id: String,
    secret_hash: Vec<u8>,
    expires_at: OffsetDateTime,
    accepted_at: Option<OffsetDateTime>,
    invited_by: Option<Uuid>,
}

impl InvitationRow {
    fn into_invitation(self) -> Result<Invitation, StoreError> {
        Ok(Invitation {
            user_id: UserId(self.user_id),
            lookup_id: self.lookup_id,
            secret: convert::secret(self.secret_hash)?,
            expires_at: self.expires_at,
            accepted_at: self.accepted_at,
            invited_by: self.invited_by.map(UserId),
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = password_resets)]
struct ResetRow {
    user_id: Uuid,
    lookup_id: String,
    secret_hash: Vec<u8>,
    expires_at: OffsetDateTime,
    used_at: Option<OffsetDateTime>,
}

impl ResetRow {
    fn into_reset(self) -> Result<PasswordReset, StoreError> {
        Ok(PasswordReset {
            user_id: UserId(self.user_id),
            lookup_id: self.lookup_id,
            secret: convert::secret(self.secret_hash)?,
            expires_at: self.expires_at,
            used_at: self.used_at,
        })
    }
}

pub(super) fn find_by_email(tx: &mut PgTx<'_>, email_key: &str) -> Result<Option<UserAccount>, StoreError> {
    let query = users::table.filter(users::email_key.eq(email_key.to_owned())).select(UserRow::as_select());
    match tx.first::<_, UserRow>(query)? {
        Some(row) => with_memberships(tx, row).map(Some),
        // An unknown address reads memberships too, so that a login takes the same number of statements either way.
        None => memberships_of(tx, Uuid::nil()).map(|_| None),
    }
}

pub(super) fn find(tx: &mut PgTx<'_>, id: UserId) -> Result<Option<UserAccount>, StoreError> {
    let row: Option<UserRow> = tx.first(users::table.find(id.0).select(UserRow::as_select()))?;
    row.map(|row| with_memberships(tx, row)).transpose()
}

/// An unknown address takes the same statements as a known one.
pub(super) fn find_login(
    tx: &mut PgTx<'_>,
    email_key: &str,
    network: AddressGroup,
) -> Result<Option<LoginLookup>, StoreError> {
    let query = users::table.filter(users::email_key.eq(email_key.to_owned())).select(UserRow::as_select());
    let row: Option<UserRow> = tx.first(query)?;
    let id = row.as_ref().map_or(Uuid::nil(), |row| row.id);
    let memberships = memberships_of(tx, id)?;
    let is_known_network = sign_ins::is_known(tx, UserId(id), network)?;
    let account = row.map(|row| row.into_account(memberships));
    Ok(account.map(|account| LoginLookup { account, is_known_network }))
}

/// The user's active memberships, ordered by the bytes of the slug.
#[expect(clippy::needless_raw_string_hashes, reason = "there are quotes; clippy sees what const_format makes of them")]
fn memberships_of(tx: &mut PgTx<'_>, user: Uuid) -> Result<Vec<Membership>, StoreError> {
    let sql = sql!(
        r#"SELECT {WORKSPACE_COLUMNS}, members.role
           FROM members JOIN workspaces ON workspaces.id = members.workspace_id
           WHERE members.joined_at IS NOT NULL AND members.deactivated_at IS NULL AND members.user_id = $1
           ORDER BY workspaces.slug COLLATE "C""#
    );
    let rows: Vec<(WorkspaceRow, String)> = tx.load(sql.returns::<(RowOf<WorkspaceRow>, Text)>().bind(user))?;
    let membership = |(workspace, role): (WorkspaceRow, String)| {
        let role = convert::parse_stored(&role, Role::parse)?;
        Ok(Membership { workspace: workspace.into_workspace()?, role })
    };
    rows.into_iter().map(membership).collect()
}

fn with_memberships(tx: &mut PgTx<'_>, row: UserRow) -> Result<UserAccount, StoreError> {
    let memberships = memberships_of(tx, row.id)?;
    Ok(row.into_account(memberships))
}

/// By bytes, regardless of the database's collation.
#[expect(clippy::needless_raw_string_hashes, reason = "there are quotes; clippy sees what const_format makes of them")]
pub(crate) fn operators_query(limit: u32) -> Statement<RowOf<UserRow>> {
    let sql = sql!(r#"SELECT {USER_COLUMNS} FROM users WHERE is_operator ORDER BY email_key COLLATE "C" LIMIT $1"#);
    sql.returns().bind(i64::from(limit))
}

pub(super) fn list_operators(tx: &mut PgTx<'_>, limit: u32) -> Result<Vec<User>, StoreError> {
    let rows: Vec<UserRow> = tx.load(operators_query(limit))?;
    Ok(rows.into_iter().map(UserRow::into_user).collect())
}

pub(super) fn find_password(tx: &mut PgTx<'_>, user: UserId) -> Result<Option<PasswordHash>, StoreError> {
    let hash: Option<Option<String>> = tx.first(users::table.find(user.0).select(users::password_hash))?;
    Ok(hash.flatten().map(PasswordHash))
}

/// Returns whether the password was changed; if not, the caller must roll back. The order matters: the row of the reset
/// admits one of several concurrent changes, and the row of the user then blocks new sessions with the old password
/// until this commits.
pub(super) fn change_password(tx: &mut PgTx<'_>, change: &PasswordChange) -> Result<bool, StoreError> {
    if let Some(email) = &change.email {
        // A concurrent use fails on the unique key, and its retry ends here.
        let other_user = users::table
            .filter(users::email_key.eq(String::from(EmailKey::of(email))))
            .filter(users::id.ne(change.user_id.0))
            .select(users::id);
        if tx.first::<_, Uuid>(other_user)?.is_some() {
            return Err(StoreError::Duplicate { field: "email" });
        }
    }
    let account = users::table.filter(users::id.eq(change.user_id.0));
    let email = change.email.clone();
    let password = (
        users::password_hash.eq(change.password.0.clone()),
        email.as_ref().map(|email| users::email_key.eq(String::from(EmailKey::of(email)))),
        email.map(|email| users::email.eq(email)),
    );
    if let PasswordProof::Reset(lookup_id) = &change.by {
        let unused = password_resets::table
            .find(change.user_id.0)
            .filter(password_resets::lookup_id.eq(lookup_id.clone()))
            .filter(password_resets::used_at.is_null());
        let used = diesel::update(unused).set(password_resets::used_at.eq(change.now));
        if tx.execute(used)? == 0 {
            return Ok(false);
        }
    } else {
        tx.execute(diesel::delete(password_resets::table.find(change.user_id.0)))?;
    }
    let rows = match &change.by {
        PasswordProof::Reset(_) => tx.execute(diesel::update(account).set(password))?,
        // Changes no row if the password was changed since it was verified.
        PasswordProof::Session(_, verified) => {
            tx.execute(diesel::update(account.filter(users::password_hash.eq(verified.0.clone()))).set(password))?
        }
        PasswordProof::First(_) => {
            tx.execute(diesel::update(account.filter(users::password_hash.is_null())).set(password))?
        }
    };
    if rows == 0 {
        return Ok(false);
    }
    let users_sessions = sessions::table.filter(sessions::user_id.eq(change.user_id.0));
    let ended_sessions: Vec<Uuid> = tx.load(diesel::delete(users_sessions).returning(sessions::id))?;
    if let PasswordProof::Session(id, _) | PasswordProof::First(id) = &change.by
        && !ended_sessions.contains(&id.0)
    {
        return Ok(false);
    }
    super::second_factors::forget_tries(tx, change.user_id)?;
    super::credentials::note_change(tx, change.user_id.0)?;
    for (workspace, entry) in &change.entries {
        audit::append_in(tx, workspace.0, entry)?;
    }
    Ok(true)
}

/// Returns whether the reset and its e-mail were stored. They are not if a previous reset expires after `unless_after`, or
/// if the mailbox has reached its e-mail limit.
pub(super) fn put_reset(
    tx: &mut PgTx<'_>,
    reset: &PasswordReset,
    unless_after: OffsetDateTime,
    queued_email: Option<&QueuedEmail>,
) -> Result<bool, StoreError> {
    // A link that could not be mailed would only replace one that was.
    if let Some(mailbox) = queued_email.map(|email| email.mailbox) {
        let sql = sql!(
            "SELECT EXISTS (
                 SELECT FROM mail_recipients WHERE recipient = $1 AND purpose = $2 AND since = $3 AND mails >= $4
             )"
        );
        let sql = sql.returns::<Bool>().bind(mailbox.mailbox.to_vec());
        let sql = sql.bind(mailbox.purpose.as_str()).bind(mailbox.since);
        if tx.value(sql.bind(i64::from(mailbox.limit)))? {
            return Ok(false);
        }
    }
    let sql = sql!(
        "INSERT INTO password_resets AS former (user_id, lookup_id, secret_hash, expires_at, used_at, created_at)
         VALUES ($1, $2, $3, $4, $5, clock_timestamp())
         ON CONFLICT (user_id) DO UPDATE SET
             (lookup_id, secret_hash, expires_at, used_at, created_at) =
             (excluded.lookup_id, excluded.secret_hash, excluded.expires_at, excluded.used_at, excluded.created_at)
         WHERE former.used_at IS NOT NULL OR former.expires_at <= $6"
    );
    let sql = sql.bind(reset.user_id.0).bind(reset.lookup_id.clone()).bind(reset.secret.as_bytes().to_vec());
    let is_stored = tx.execute(sql.bind(reset.expires_at).bind(reset.used_at).bind(unless_after))? > 0;
    if let Some(queued_email) = queued_email.filter(|_| is_stored) {
        crate::email::enqueue::enqueue(tx, std::slice::from_ref(queued_email))?;
    }
    Ok(is_stored)
}

pub(super) fn find_reset(
    tx: &mut PgTx<'_>,
    lookup_id: &str,
) -> Result<Option<(PasswordReset, UserAccount)>, StoreError> {
    let query = password_resets::table
        .inner_join(users::table.on(users::id.eq(password_resets::user_id)))
        .filter(password_resets::lookup_id.eq(lookup_id.to_owned()))
        .select((ResetRow::as_select(), UserRow::as_select()));
    let row: Option<(ResetRow, UserRow)> = tx.first(query)?;
    row.map(|(reset, user)| Ok((reset.into_reset()?, with_memberships(tx, user)?))).transpose()
}

pub(super) fn find_invitation(tx: &mut PgTx<'_>, lookup_id: &str) -> Result<Option<InvitationLookup>, StoreError> {
    let inviters = diesel::alias!(users as inviters);
    let membership = members::workspace_id.eq(invitations::workspace_id).and(members::user_id.eq(invitations::user_id));
    let query = invitations::table
        .inner_join(members::table.on(membership))
        .inner_join(workspaces::table.on(workspaces::id.eq(invitations::workspace_id)))
        .inner_join(users::table.on(users::id.eq(invitations::user_id)))
        .left_join(inviters.on(inviters.field(users::id).nullable().eq(invitations::invited_by)))
        .filter(invitations::lookup_id.eq(lookup_id.to_owned()))
        .select((
            InvitationRow::as_select(),
            WorkspaceRow::as_select(),
            UserRow::as_select(),
            MemberRow::as_select(),
            inviters.field(users::name).nullable(),
        ));
    let row: Option<(InvitationRow, WorkspaceRow, UserRow, MemberRow, Option<String>)> = tx.first(query)?;
    row.map(|(invitation, workspace, user, member, inviter)| {
        Ok(InvitationLookup {
            invitation: invitation.into_invitation()?,
            workspace: workspace.into_workspace()?,
            user: user.into_user(),
            member: member.into_member()?,
            inviter,
        })
    })
    .transpose()
}
