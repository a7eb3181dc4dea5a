//! Members of the workspace, their invitations, and the users that these create.

use const_format::formatcp;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text, Uuid as SqlUuid};
use domain::UserId;
use domain::identity::members::{Invitation, MAX_NOTIFIED, Member, MemberRecord};
use domain::identity::notifications::{NotificationChoices, Recipient};
use domain::identity::workspaces::{Role, User};
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::ports::{MemberRepo, StoreError};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::columns::columns;
use crate::engine::convert;
use crate::engine::errors::expect_rows;
use crate::engine::page_query::{List, Order, PageQuery};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::schema::{invitations, members};

/// The columns of a membership that the statements in this file and in the directory select.
#[derive(Queryable, Selectable)]
#[diesel(table_name = members)]
pub(crate) struct MemberRow {
    user_id: Uuid,
    role: String,
    joined_at: Option<OffsetDateTime>,
    deactivated_at: Option<OffsetDateTime>,
    version: i64,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
}

impl MemberRow {
    pub(crate) fn into_member(self) -> Result<Member, StoreError> {
        Ok(Member {
            user_id: UserId(self.user_id),
            role: convert::parse_stored(&self.role, Role::parse)?,
            joined_at: self.joined_at,
            deactivated_at: self.deactivated_at,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
        })
    }
}

const COLUMNS: &str = columns!(MemberRow, "members.");

/// A membership with the user's address and name.
type RecordColumns = (RowOf<MemberRow>, Text, Text);
type RecordRow = (MemberRow, String, String);

fn into_record((row, email, name): RecordRow) -> Result<MemberRecord, StoreError> {
    Ok(MemberRecord { member: row.into_member()?, email, name })
}

/// Finds a member by a condition on `members` and `users` and locks it. The user is not locked, so logins continue.
macro_rules! locked_member {
    ($condition:literal) => {
        sql!(
            "SELECT {COLUMNS}, users.email, users.name
             FROM members JOIN users ON users.id = members.user_id
             WHERE members.workspace_id = $1 AND {condition}
             FOR NO KEY UPDATE OF members",
            condition = $condition
        )
        .returns::<RecordColumns>()
    };
}

impl MemberRepo for PgTx<'_> {
    fn list(&mut self, filter: &CreatedFilter, page: &PageRequest) -> Result<Vec<MemberRecord>, StoreError> {
        let rows: Vec<RecordRow> = self.page(list_query(self.workspace, filter, page), page)?;
        rows.into_iter().map(into_record).collect()
    }

    fn list_joined(
        &mut self,
        email_key: Option<&str>,
        created: &CreatedFilter,
        page: &PageRequest,
    ) -> Result<Vec<MemberRecord>, StoreError> {
        let rows: Vec<RecordRow> = self.page(joined_query(self.workspace, email_key, created, page), page)?;
        rows.into_iter().map(into_record).collect()
    }

    fn ids_of(&mut self, email_keys: &[String]) -> Result<Vec<(String, UserId)>, StoreError> {
        let rows: Vec<(String, Uuid)> = self.load(ids_query(self.workspace, email_keys.to_vec()))?;
        Ok(rows.into_iter().map(|(email_key, id)| (email_key, UserId(id))).collect())
    }

    fn names_of(&mut self, ids: &[Uuid]) -> Result<Vec<(Uuid, String)>, StoreError> {
        self.load(names_query(self.workspace, ids.to_vec()))
    }

    fn get_for_update(&mut self, id: UserId) -> Result<Option<MemberRecord>, StoreError> {
        let sql = locked_member!("members.user_id = $2").bind(self.workspace);
        let row: Option<RecordRow> = self.first(sql.bind(id.0))?;
        row.map(into_record).transpose()
    }

    fn find_by_email(&mut self, email_key: &str) -> Result<Option<MemberRecord>, StoreError> {
        let sql = locked_member!("users.email_key = $2").bind(self.workspace);
        let row: Option<RecordRow> = self.first(sql.bind(email_key.to_owned()))?;
        row.map(into_record).transpose()
    }

    fn owners_for_update(&mut self) -> Result<Vec<UserId>, StoreError> {
        // Locked in a fixed order, so that concurrent transactions cannot deadlock.
        let query = members::table
            .filter(members::workspace_id.eq(self.workspace))
            .filter(members::role.eq(Role::Owner.as_str()))
            .filter(members::joined_at.is_not_null().and(members::deactivated_at.is_null()))
            .order(members::user_id)
            .select(members::user_id)
            .for_no_key_update();
        Ok(self.load::<_, Uuid>(query)?.into_iter().map(UserId).collect())
    }

    fn owner_addresses(&mut self) -> Result<Vec<String>, StoreError> {
        self.addresses_of(&[Role::Owner])
    }

    fn make_operator(&mut self, id: UserId) -> Result<(), StoreError> {
        let sql = sql!(
            "UPDATE users SET is_operator = true
             WHERE id = $1 AND EXISTS (SELECT FROM members WHERE workspace_id = $2 AND user_id = $1)"
        );
        self.execute(sql.bind(id.0).bind(self.workspace)).map(drop)
    }

    fn is_operator(&mut self, id: UserId) -> Result<bool, StoreError> {
        let sql = sql!(
            "SELECT users.is_operator FROM users
             WHERE id = $1 AND EXISTS (SELECT FROM members WHERE workspace_id = $2 AND user_id = $1)
             FOR SHARE"
        );
        Ok(self.first(sql.returns::<Bool>().bind(id.0).bind(self.workspace))?.unwrap_or(false))
    }

    fn administrator_addresses(&mut self) -> Result<Vec<String>, StoreError> {
        self.addresses_of(&[Role::Owner, Role::Admin])
    }

    fn add(&mut self, user: &User, member: &Member) -> Result<MemberRecord, StoreError> {
        let row: Option<(Uuid, String, String)> = self.first(add_sql(self.workspace, user, member))?;
        // None: a concurrent transaction created the same user, which this statement cannot see yet.
        let (id, email, name) = row.ok_or(StoreError::Contended)?;
        Ok(MemberRecord { member: Member { user_id: UserId(id), ..member.clone() }, email, name })
    }

    fn save(&mut self, member: &Member) -> Result<(), StoreError> {
        let target = diesel::update(members::table.find((self.workspace, member.user_id.0)));
        let affected = self.execute(target.set((
            members::role.eq(member.role.as_str()),
            members::joined_at.eq(member.joined_at),
            members::deactivated_at.eq(member.deactivated_at),
            members::version.eq(member.version),
            members::created_at.eq(member.created_at),
            members::updated_at.eq(member.updated_at),
        )))?;
        expect_rows(affected, 1)
    }

    fn set_profile(&mut self, user: &User) -> Result<bool, StoreError> {
        let sql = sql!(
            "UPDATE users SET name = $1, password_hash = $2
             WHERE id = $3 AND password_hash IS NULL
                 AND EXISTS (SELECT FROM members WHERE members.user_id = users.id AND members.workspace_id = $4)"
        );
        let sql = sql.bind(user.name.clone()).bind(user.password.clone().map(|hash| hash.0)).bind(user.id.0);
        Ok(self.execute(sql.bind(self.workspace))? > 0)
    }

    fn save_account(&mut self, id: UserId, name: &str, choices: NotificationChoices) -> Result<(), StoreError> {
        let sql = sql!(
            "UPDATE users SET name = $1, notify_assigned = $4, notify_replies = $5
             WHERE id = $2
                 AND EXISTS (SELECT FROM members WHERE members.user_id = users.id AND members.workspace_id = $3)"
        );
        let sql = sql.bind(name.to_owned()).bind(id.0).bind(self.workspace).bind(choices.assigned);
        self.execute(sql.bind(choices.replies)).map(drop)
    }

    fn recipients(&mut self, ids: &[UserId]) -> Result<Vec<Recipient>, StoreError> {
        let rows: Vec<(Uuid, String, String, bool, bool)> = self.load(recipients_query(self.workspace, ids))?;
        rows.into_iter()
            .map(|(id, email, role, assigned, replies)| {
                Ok(Recipient {
                    user_id: UserId(id),
                    email,
                    role: convert::parse_stored(&role, Role::parse)?,
                    choices: NotificationChoices { assigned, replies },
                })
            })
            .collect()
    }

    fn put_invitation(
        &mut self,
        invitation: &Invitation,
        unless_after: OffsetDateTime,
    ) -> Result<Option<OffsetDateTime>, StoreError> {
        let sql = sql!(
            "INSERT INTO invitations AS former
                 (workspace_id, user_id, lookup_id, secret_hash, expires_at, accepted_at, invited_by, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp())
             ON CONFLICT (workspace_id, user_id) DO UPDATE SET
                 (lookup_id, secret_hash, expires_at, accepted_at, invited_by, created_at) =
                 (excluded.lookup_id, excluded.secret_hash, excluded.expires_at, excluded.accepted_at,
                  excluded.invited_by, excluded.created_at)
             WHERE former.accepted_at IS NOT NULL OR former.expires_at <= $8"
        );
        let sql = sql.bind(self.workspace).bind(invitation.user_id.0).bind(invitation.lookup_id.clone());
        let sql = sql.bind(invitation.secret.as_bytes().to_vec()).bind(invitation.expires_at);
        let sql = sql.bind(invitation.accepted_at).bind(invitation.invited_by.map(|id| id.0));
        if self.execute(sql.bind(unless_after))? > 0 {
            return Ok(None);
        }
        let open = invitations::table.find((self.workspace, invitation.user_id.0)).select(invitations::expires_at);
        self.value(open).map(Some)
    }

    fn use_invitation(&mut self, id: UserId, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError> {
        let unused = invitations::table
            .find((self.workspace, id.0))
            .filter(invitations::lookup_id.eq(lookup_id.to_owned()))
            .filter(invitations::accepted_at.is_null());
        Ok(self.execute(diesel::update(unused).set(invitations::accepted_at.eq(now)))? > 0)
    }

    fn withdraw_invitation(&mut self, id: UserId) -> Result<(), StoreError> {
        self.execute(diesel::delete(invitations::table.find((self.workspace, id.0)))).map(drop)
    }
}

impl PgTx<'_> {
    /// The addresses of active members with any of these roles, owners first, then by join date.
    fn addresses_of(&mut self, roles: &[Role]) -> Result<Vec<String>, StoreError> {
        let sql = sql!(
            "SELECT users.email FROM members JOIN users ON users.id = members.user_id
             WHERE members.workspace_id = $1 AND members.role = ANY ($2) AND members.joined_at IS NOT NULL
                 AND members.deactivated_at IS NULL
             ORDER BY members.role <> 'owner', members.joined_at, members.user_id LIMIT $3"
        );
        let sql = sql.returns::<Text>().bind(self.workspace).bind_each(roles, |role| role.as_str());
        self.load(sql.bind(i64::from(MAX_NOTIFIED)))
    }
}

pub(crate) fn recipients_query(workspace: Uuid, ids: &[UserId]) -> Statement<(SqlUuid, Text, Text, Bool, Bool)> {
    let sql = sql!(
        "SELECT wanted.id, found.email, found.role, found.notify_assigned, found.notify_replies
         FROM unnest($2::uuid[]) AS wanted (id)
         CROSS JOIN LATERAL (
             SELECT users.email, members.role, users.notify_assigned, users.notify_replies
             FROM members JOIN users ON users.id = members.user_id
             WHERE members.workspace_id = $1 AND members.user_id = wanted.id AND members.joined_at IS NOT NULL
                 AND members.deactivated_at IS NULL
             LIMIT 1
         ) AS found"
    );
    sql.returns().bind(workspace).bind_each(ids, |id| id.0)
}

/// Members, with the column names that every list uses.
const LIST: List = List {
    select: // Users are read only for the rows of the page.
    formatcp!(
        "{COLUMNS}, (SELECT email FROM users WHERE users.id = members.user_id),
        (SELECT name FROM users WHERE users.id = members.user_id)"
    ),
    from: "(SELECT members.*, members.user_id AS id FROM members) AS members",
    conditions: "workspace_id = $1",
    order: Order::Newest,
};

pub(crate) fn list_query(workspace: Uuid, filter: &CreatedFilter, page: &PageRequest) -> Statement<RecordColumns> {
    PageQuery::new(&LIST, workspace, page).created(filter).build()
}

/// Members who have joined.
const JOINED: List = List { conditions: "workspace_id = $1 AND joined_at IS NOT NULL", ..LIST };

pub(crate) fn joined_query(
    workspace: Uuid,
    email_key: Option<&str>,
    created: &CreatedFilter,
    page: &PageRequest,
) -> Statement<RecordColumns> {
    let query = PageQuery::new(&JOINED, workspace, page);
    query.equal(EMAIL, email_key.map(ToOwned::to_owned)).created(created).build()
}

const EMAIL: &str = "user_id = (SELECT users.id FROM users WHERE users.email_key = $n)";

/// One look-up per address in the index of all users: `LIMIT` stops Postgres from scanning a table instead.
pub(crate) fn ids_query(workspace: Uuid, email_keys: Vec<String>) -> Statement<(Text, SqlUuid)> {
    let sql = sql!(
        "SELECT wanted.email_key, found.user_id
         FROM unnest($2::text[]) AS wanted (email_key)
         CROSS JOIN LATERAL (
             SELECT members.user_id FROM users JOIN members ON members.user_id = users.id
             WHERE users.email_key = wanted.email_key AND members.workspace_id = $1
             LIMIT 1
         ) AS found"
    );
    sql.returns().bind(workspace).bind(email_keys)
}

/// Invited members who have not joined (again) have their address as their name. One look-up per id, as for addresses above.
pub(crate) fn names_query(workspace: Uuid, ids: Vec<Uuid>) -> Statement<(SqlUuid, Text)> {
    let sql = sql!(
        "SELECT wanted.id, named.name
         FROM unnest($2::uuid[]) AS wanted (id)
         CROSS JOIN LATERAL (
             SELECT CASE WHEN members.joined_at IS NULL THEN lower(users.email) ELSE users.name END AS name
             FROM members JOIN users ON users.id = members.user_id
             WHERE members.workspace_id = $1 AND members.user_id = wanted.id
             UNION ALL
             SELECT name FROM api_keys WHERE workspace_id = $1 AND id = wanted.id
             LIMIT 1
         ) AS named"
    );
    sql.returns().bind(workspace).bind(ids)
}

/// Creates the user unless the address is in use, and creates the membership.
fn add_sql(workspace: Uuid, user: &User, member: &Member) -> Statement<(SqlUuid, Text, Text)> {
    let (email_key, user) = (user.email_key(), user.clone());
    let sql = sql!(
        "WITH made AS (
             INSERT INTO users (id, email, email_key, name, password_hash, created_at)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (email_key) DO NOTHING
             RETURNING id, email, name
         ), person AS (
             SELECT id, email, name FROM made
             UNION ALL SELECT id, email, name FROM users WHERE email_key = $3
             LIMIT 1
         ), joined AS (
             INSERT INTO members
                 (workspace_id, user_id, role, joined_at, deactivated_at, version, created_at, updated_at)
             SELECT $7, id, $8, $9, $10, $11, $12, $13 FROM person
         )
         SELECT id, email, name FROM person"
    );
    let sql = sql.returns().bind(user.id.0).bind(user.email).bind(email_key).bind(user.name);
    let sql = sql.bind(user.password.map(|hash| hash.0)).bind(user.created_at).bind(workspace);
    let sql = sql.bind(member.role.as_str()).bind(member.joined_at).bind(member.deactivated_at).bind(member.version);
    sql.bind(member.created_at).bind(member.updated_at)
}
