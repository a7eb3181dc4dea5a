//! Renews the keys of e-mail addresses written by an earlier release, which have the domain as typed, in lower case. Canonical
//! keys are ASCII, so old keys are found by their non-ASCII characters.
//!
//! Addresses that were different may become equal. The oldest of such contacts holds the key; the keys of the others have a
//! space and the contact's id appended until the key is free. Among such users, the one that already has the key keeps it.

use std::collections::BTreeSet;

use diesel::sql_types::{BigInt, Bool, Text, Uuid as SqlUuid};
use domain::kernel::input::EmailKey;
use domain::ports::StoreError;
use uuid::Uuid;

use crate::distribution::{Locking, locking_sql};
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;

/// Workspace, id, address, and whether the record is deleted.
pub(crate) type StaleAddress = (SqlUuid, SqlUuid, Text, Bool);

/// Rows of a table with keys of an earlier release. Rows that another transaction has locked are skipped.
macro_rules! stale {
    ($table:literal, $email:literal, $key:literal) => {
        locking_sql!(
            one = "workspace_id = $2";
            "SELECT workspace_id, id, {email}, deleted_at IS NOT NULL FROM {table}
             WHERE {one}octet_length({key}) > char_length({key})
             ORDER BY workspace_id, id LIMIT $1 FOR UPDATE SKIP LOCKED",
            table = $table,
            email = $email,
            key = $key;
            "SELECT workspace_id FROM {table} WHERE octet_length({key}) > char_length({key})
             ORDER BY workspace_id, id LIMIT $1",
            table = $table,
            key = $key
        )
    };
}

/// Writes the keys of locked records.
macro_rules! renew {
    ($table:literal, $key:literal) => {
        sql!(
            "UPDATE {table} SET {key} = new.key
             FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS new (workspace_id, id, key)
             WHERE {table}.workspace_id = new.workspace_id AND {table}.id = new.id",
            table = $table,
            key = $key
        )
    };
}

pub(crate) fn stale_contacts(limit: u32) -> Locking<StaleAddress> {
    stale!("contacts", "email", "email_key").bind(i64::from(limit))
}

pub(crate) fn stale_requesters(limit: u32) -> Locking<StaleAddress> {
    stale!("issues", "requester_email", "requester_email_key").bind(i64::from(limit))
}

pub(crate) fn stale_users(limit: u32) -> Statement<(SqlUuid, Text)> {
    // Accounts that must keep such a key come after the others, because every batch reads them again.
    let sql = sql!(
        "SELECT id, email FROM users WHERE octet_length(email_key) > char_length(email_key)
         ORDER BY id DESC LIMIT $1 FOR UPDATE SKIP LOCKED"
    );
    sql.returns().bind(i64::from(limit))
}

/// Workspaces with contacts that do not hold the key of their address.
pub(crate) fn sharing_query() -> Statement<SqlUuid> {
    sql!("SELECT DISTINCT workspace_id FROM contacts WHERE position(' ' IN email_key) > 0").returns()
}

/// The workspaces and keys of contacts that share the address of an older contact, and their number.
pub(crate) fn shared_query(limit: u32) -> Statement<(Text, Text, BigInt)> {
    let sql = sql!(
        "SELECT workspaces.slug, split_part(contacts.email_key, ' ', 1), count(*)
         FROM contacts JOIN workspaces ON workspaces.id = contacts.workspace_id
         WHERE position(' ' IN contacts.email_key) > 0 AND contacts.deleted_at IS NULL
         GROUP BY workspaces.slug, split_part(contacts.email_key, ' ', 1)
         ORDER BY workspaces.slug, split_part(contacts.email_key, ' ', 1) LIMIT $1"
    );
    sql.returns().bind(i64::from(limit))
}

/// Addresses of accounts that share the address of an older account.
pub(crate) fn accounts_query(limit: u32) -> Statement<Text> {
    let sql =
        sql!("SELECT email FROM users WHERE octet_length(email_key) > char_length(email_key) ORDER BY email LIMIT $1");
    sql.returns().bind(i64::from(limit))
}

/// Renews at most `limit` keys of each kind; returns how many.
pub(crate) fn renew(tx: &mut PgTx<'_>, limit: u32) -> Result<u64, StoreError> {
    let mut contacts = RecordKeys::default();
    for (workspace, id, email, is_deleted) in stale_contacts(limit).load::<Row>(tx, limit as usize)? {
        let key = EmailKey::of(&email);
        contacts.add(workspace, id, if is_deleted { key.into() } else { format!("{} {id}", key.as_str()) });
    }
    let mut requesters = RecordKeys::default();
    for (workspace, id, email, _) in stale_requesters(limit).load::<Row>(tx, limit as usize)? {
        requesters.add(workspace, id, EmailKey::of(&email).into());
    }
    let count = contacts.write(tx, renew!("contacts", "email_key"))?
        + requesters.write(tx, renew!("issues", "requester_email_key"))?
        + renew_users(tx, limit)?;
    let sharing: BTreeSet<Uuid> = tx.load::<_, Uuid>(sharing_query())?.into_iter().collect();
    for workspace in sharing {
        tx.execute(release_query(workspace))?;
        tx.execute(take_query(workspace))?;
    }
    Ok(count)
}

type Row = (Uuid, Uuid, String, bool);

/// Takes the key from a contact that is younger than another contact with the same address.
pub(crate) fn release_query(workspace: Uuid) -> Statement {
    let sql = sql!(
        "UPDATE contacts SET email_key = contacts.email_key || ' ' || contacts.id
         FROM contacts AS older
         WHERE older.workspace_id = $1 AND position(' ' IN older.email_key) > 0 AND older.deleted_at IS NULL
             AND contacts.workspace_id = $1 AND contacts.email_key = split_part(older.email_key, ' ', 1)
             AND contacts.deleted_at IS NULL AND (older.created_at, older.id) < (contacts.created_at, contacts.id)"
    );
    sql.bind(workspace)
}

/// Gives a free key to the oldest contact with its address.
pub(crate) fn take_query(workspace: Uuid) -> Statement {
    let sql = sql!(
        "UPDATE contacts SET email_key = split_part(contacts.email_key, ' ', 1)
         FROM (
             SELECT DISTINCT ON (split_part(email_key, ' ', 1)) id, split_part(email_key, ' ', 1) AS wanted FROM contacts
             WHERE workspace_id = $1 AND position(' ' IN email_key) > 0 AND deleted_at IS NULL
             ORDER BY split_part(email_key, ' ', 1), created_at, id
         ) AS oldest
         WHERE contacts.workspace_id = $1 AND contacts.id = oldest.id AND contacts.deleted_at IS NULL
             AND NOT EXISTS (
                 SELECT FROM contacts AS holder WHERE holder.workspace_id = $1 AND holder.email_key = oldest.wanted
                     AND holder.deleted_at IS NULL
             )"
    );
    sql.bind(workspace)
}

/// One by one, because there are few, and two of them may become equal.
fn renew_users(tx: &mut PgTx<'_>, limit: u32) -> Result<u64, StoreError> {
    let mut count = 0;
    for (id, email) in tx.load::<_, (Uuid, String)>(stale_users(limit))? {
        let sql = sql!(
            "UPDATE users SET email_key = $2
             WHERE id = $1 AND NOT EXISTS (SELECT FROM users AS holder WHERE holder.email_key = $2)"
        );
        let key = String::from(EmailKey::of(&email));
        count += tx.execute(sql.bind(id).bind(key))? as u64;
    }
    Ok(count)
}

/// The new keys of some records.
#[derive(Default)]
struct RecordKeys {
    workspaces: Vec<Uuid>,
    ids: Vec<Uuid>,
    keys: Vec<String>,
}

impl RecordKeys {
    fn add(&mut self, workspace: Uuid, id: Uuid, key: String) {
        self.workspaces.push(workspace);
        self.ids.push(id);
        self.keys.push(key);
    }

    fn write(self, tx: &mut PgTx<'_>, sql: Statement) -> Result<u64, StoreError> {
        if self.ids.is_empty() {
            return Ok(0);
        }
        let sql = sql.bind(self.workspaces).bind(self.ids);
        tx.execute(sql.bind(self.keys)).map(|count| count as u64)
    }
}
