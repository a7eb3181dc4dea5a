//! The codes for creating the first workspace, and the completed first steps.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Timestamptz};
use domain::UserId;
use domain::identity::set_up::SetUpCode;
use domain::identity::workspaces::FirstSteps;
use domain::ports::StoreError;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::engine::convert;
use crate::engine::statement::{Statement, sql};
use crate::engine::tx::PgTx;
use crate::schema::set_up_codes;

#[derive(Queryable, Selectable)]
#[diesel(table_name = set_up_codes)]
struct SetUpCodeRow {
    instance: String,
    lookup_id: String,
    secret_hash: Vec<u8>,
    created_at: OffsetDateTime,
    expires_at: OffsetDateTime,
}

/// Serialises transactions that write or use codes.
fn lock(tx: &mut PgTx<'_>) -> Result<(), StoreError> {
    let sql = sql!("SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended('set-up', 0))) AS locked");
    tx.value::<_, i32>(sql.returns::<Integer>()).map(drop)
}

/// If there are too many codes, it first drops those of hosts that never came back.
pub(crate) fn put(tx: &mut PgTx<'_>, code: &SetUpCode, keep: u32) -> Result<bool, StoreError> {
    lock(tx)?;
    let sql = sql!(
        "INSERT INTO set_up_codes (instance, lookup_id, secret_hash, created_at, expires_at)
         SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (SELECT FROM workspaces)
         ON CONFLICT (instance) DO UPDATE SET (lookup_id, secret_hash, created_at, expires_at) =
             (excluded.lookup_id, excluded.secret_hash, excluded.created_at, excluded.expires_at)"
    );
    let sql = sql.bind(code.instance.clone()).bind(code.lookup_id.clone()).bind(code.secret.as_bytes().to_vec());
    let sql = sql.bind(code.created_at).bind(code.expires_at);
    if tx.execute(sql)? == 0 {
        return Ok(false);
    }
    let sql = sql!(
        "DELETE FROM set_up_codes WHERE instance IN (
             SELECT instance FROM set_up_codes ORDER BY created_at DESC, instance OFFSET $1
         )"
    );
    tx.execute(sql.bind(i64::from(keep)))?;
    Ok(true)
}

pub(crate) fn find(tx: &mut PgTx<'_>, lookup_id: &str) -> Result<Option<SetUpCode>, StoreError> {
    let query =
        set_up_codes::table.filter(set_up_codes::lookup_id.eq(lookup_id.to_owned())).select(SetUpCodeRow::as_select());
    let row: Option<SetUpCodeRow> = tx.first(query)?;
    let into_code = |row: SetUpCodeRow| {
        let secret = convert::secret(row.secret_hash)?;
        let SetUpCodeRow { instance, lookup_id, created_at, expires_at, .. } = row;
        Ok(SetUpCode { instance, lookup_id, secret, created_at, expires_at })
    };
    row.map(into_code).transpose()
}

/// The lock is a separate statement, so that the next one sees the changes of its previous holder.
pub(super) fn use_code(tx: &mut PgTx<'_>, lookup_id: &str, now: OffsetDateTime) -> Result<bool, StoreError> {
    lock(tx)?;
    let sql = sql!(
        "DELETE FROM set_up_codes
         WHERE NOT EXISTS (SELECT FROM workspaces)
             AND EXISTS (SELECT FROM set_up_codes AS used WHERE used.lookup_id = $1 AND used.expires_at > $2)"
    );
    Ok(tx.execute(sql.bind(lookup_id.to_owned()).bind(now))? > 0)
}

pub(super) fn mark_as_demo(tx: &mut PgTx<'_>, made_at: OffsetDateTime) -> Result<(), StoreError> {
    let sql = sql!("INSERT INTO demo_workspaces (workspace_id, made_at) VALUES ($1, $2)");
    tx.execute(sql.bind(tx.workspace).bind(made_at)).map(drop)
}

type Steps = (Bool, Bool, Bool, Bool, Bool, Bool);
type StepsRow = (bool, bool, bool, bool, bool, bool);

macro_rules! first_steps_sql {
    ($has_webhook:literal) => {
        sql!(
            "SELECT
                 EXISTS (SELECT FROM members JOIN workspaces ON workspaces.id = members.workspace_id
                     WHERE members.user_id = $2 AND members.joined_at IS NOT NULL AND members.deactivated_at IS NULL
                         AND workspaces.status = 'active'
                         AND NOT EXISTS (SELECT FROM demo_workspaces WHERE workspace_id = workspaces.id)),
                 EXISTS (SELECT FROM members
                     WHERE workspace_id = $1 AND created_at > demo.made_at AND user_id <> $2 AND deactivated_at IS NULL),
                 EXISTS (SELECT FROM api_keys WHERE workspace_id = $1 AND created_at > demo.made_at),
                 EXISTS (SELECT FROM api_keys WHERE workspace_id = $1 AND tools_used_at IS NOT NULL),
                 {has_webhook},
                 EXISTS (SELECT FROM users WHERE id = $2 AND password_hash IS NULL)
             FROM (SELECT coalesce((SELECT made_at FROM demo_workspaces WHERE workspace_id = $1), '-infinity') AS made_at)
                 AS demo",
            has_webhook = $has_webhook
        )
    };
}

/// The initial content of a demo workspace does not count as a step.
pub(crate) fn first_steps_query(workspace: Uuid, user: Uuid) -> Statement<Steps> {
    let sql = first_steps_sql!(
        "EXISTS (SELECT FROM webhook_subscriptions
                 WHERE workspace_id = $1 AND created_at > demo.made_at AND deleted_at IS NULL)"
    );
    sql.returns().bind(workspace).bind(user)
}

/// In a cluster, webhooks are stored on other nodes than the other tables.
fn first_steps_in_cluster(tx: &mut PgTx<'_>, user: UserId) -> Result<StepsRow, StoreError> {
    let sql = first_steps_sql!("false").returns::<Steps>();
    let mut steps: StepsRow = tx.value(sql.bind(tx.workspace).bind(user.0))?;
    let created_at = sql!("SELECT made_at FROM demo_workspaces WHERE workspace_id = $1").returns::<Timestamptz>();
    let created_at: Option<OffsetDateTime> = tx.first(created_at.bind(tx.workspace))?;
    let sql = sql!(
        "SELECT count(*) > 0 FROM webhook_subscriptions
         WHERE workspace_id = $1 AND ($2::timestamptz IS NULL OR created_at > $2) AND deleted_at IS NULL"
    );
    steps.4 = tx.value(sql.returns::<Bool>().bind(tx.workspace).bind(created_at))?;
    Ok(steps)
}

pub(super) fn first_steps(tx: &mut PgTx<'_>, user: UserId) -> Result<FirstSteps, StoreError> {
    let steps: StepsRow = if tx.is_cluster {
        first_steps_in_cluster(tx, user)?
    } else {
        tx.value(first_steps_query(tx.workspace, user.0))?
    };
    let (has_own_workspace, has_colleague, has_key, has_ai_client, has_webhook, lacks_password) = steps;
    Ok(FirstSteps { has_own_workspace, has_colleague, has_key, has_ai_client, has_webhook, lacks_password })
}
