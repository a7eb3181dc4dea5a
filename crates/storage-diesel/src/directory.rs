//! What crosses workspaces.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::api_keys::FoundKey;
use domain::ports::{Directory, StoreError};
use domain::workspaces::{Member, Plan, User, Workspace, WorkspaceStatus};
use domain::{UserId, WorkspaceId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::api_keys::ApiKeyRow;
use crate::cached_sql::CachedSql;
use crate::convert;
use crate::pool::{self, Broken};
use crate::schema::{api_keys, workspaces};
use crate::store::PgStore;
use crate::tx::{Mode, PgTx};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = workspaces)]
struct WorkspaceRow {
    id: Uuid,
    slug: String,
    name: String,
    plan: String,
    status: String,
    default_currency: String,
}

impl WorkspaceRow {
    fn of(workspace: Workspace) -> Self {
        Self {
            id: workspace.id.0,
            slug: workspace.slug,
            name: workspace.name,
            plan: workspace.plan.as_str().to_owned(),
            status: workspace.status.as_str().to_owned(),
            default_currency: workspace.default_currency,
        }
    }

    fn into_workspace(self) -> Result<Workspace, StoreError> {
        Ok(Workspace {
            id: WorkspaceId(self.id),
            slug: self.slug,
            name: self.name,
            plan: convert::word(&self.plan, Plan::from_word)?,
            status: convert::word(&self.status, WorkspaceStatus::from_word)?,
            default_currency: self.default_currency,
        })
    }
}

impl PgStore {
    /// One statement across workspaces, that may be sent again.
    async fn ask<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: Fn(&mut PgTx<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        self.hop(move |pool| {
            // A transaction's workspace means nothing here.
            let nowhere = WorkspaceId(Uuid::nil());
            pool::with_connection(pool, Broken::Again, |connection| {
                work(&mut PgTx::new(connection, nowhere, Mode::Autocommit))
            })
        })
        .await?
    }

    /// One statement that makes something, over a connection that was good a moment ago.
    async fn make<T, W>(&self, workspace: WorkspaceId, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: Fn(&mut PgTx<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        self.ping().await?;
        self.hop(move |pool| {
            pool::with_connection(pool, Broken::End, |connection| {
                work(&mut PgTx::new(connection, workspace, Mode::Autocommit))
            })
        })
        .await?
    }
}

/// The workspace with this slug or id.
pub(crate) fn workspace_named(tx: &mut PgTx<'_>, slug_or_id: &str) -> Result<Option<Workspace>, StoreError> {
    let query = workspaces::table.select(WorkspaceRow::as_select());
    // No slug looks like an id.
    let found: Option<WorkspaceRow> = match Uuid::try_parse(slug_or_id) {
        Ok(id) => tx.first(query.filter(workspaces::id.eq(id))),
        Err(_) => tx.first(query.filter(workspaces::slug.eq(slug_or_id.to_owned()))),
    }?;
    found.map(WorkspaceRow::into_workspace).transpose()
}

#[async_trait]
impl Directory for PgStore {
    async fn find_api_key(&self, lookup_id: &str) -> Result<Option<FoundKey>, StoreError> {
        let lookup_id = lookup_id.to_owned();
        let found = self.ask(move |tx| {
            let query = api_keys::table
                .inner_join(workspaces::table.on(workspaces::id.eq(api_keys::workspace_id)))
                .filter(api_keys::lookup_id.eq(lookup_id.clone()))
                .select((ApiKeyRow::as_select(), WorkspaceRow::as_select()));
            tx.first::<_, (ApiKeyRow, WorkspaceRow)>(query)
        });
        let found = found.await?;
        found
            .map(|(key, workspace)| Ok(FoundKey { key: key.into_key()?, workspace: workspace.into_workspace()? }))
            .transpose()
    }

    async fn find_workspace(&self, slug_or_id: &str) -> Result<Option<Workspace>, StoreError> {
        let wanted = slug_or_id.to_owned();
        self.ask(move |tx| workspace_named(tx, &wanted)).await
    }

    async fn has_workspaces(&self) -> Result<bool, StoreError> {
        self.ask(|tx| tx.value(CachedSql::<Bool>::new("SELECT EXISTS (SELECT FROM workspaces)"))).await
    }

    async fn create_workspace(&self, workspace: &Workspace, now: OffsetDateTime) -> Result<(), StoreError> {
        let workspace = workspace.clone();
        self.make(workspace.id, move |tx| {
            let row = (WorkspaceRow::of(workspace.clone()), workspaces::created_at.eq(now));
            tx.execute(diesel::insert_into(workspaces::table).values(row)).map(drop)
        })
        .await
    }

    async fn create_member(&self, workspace: WorkspaceId, user: &User, member: &Member) -> Result<UserId, StoreError> {
        let (user, member) = (user.clone(), member.clone());
        self.make(workspace, move |tx| {
            let made: Option<Uuid> = tx.first(member_sql(workspace, user.clone(), &member))?;
            // None: somebody made the same person a moment ago, not yet visible to this statement.
            made.map(UserId).ok_or(StoreError::Contended)
        })
        .await
    }

    async fn prune_idempotency(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        let pruned = self.ask(move |tx| {
            let sql = CachedSql::<()>::new(
                "DELETE FROM idempotency_keys WHERE (workspace_id, credential_id, route, key) IN \
                 (SELECT workspace_id, credential_id, route, key FROM idempotency_keys WHERE created_at < ",
            );
            let sql = sql.bind::<Timestamptz, _>(before).text(" ORDER BY created_at LIMIT ");
            tx.execute(sql.bind::<BigInt, _>(i64::from(limit)).text(" FOR UPDATE SKIP LOCKED)"))
        });
        Ok(pruned.await? as u64)
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.hop(|pool| pool::check_out_with(pool, pool::ping).map(drop)).await?
    }
}

fn member_sql(workspace: WorkspaceId, user: User, member: &Member) -> CachedSql<SqlUuid> {
    let email_key = user.email.to_lowercase();
    let sql = CachedSql::new(
        "WITH made AS (INSERT INTO users (id, email, email_key, name, password_hash, created_at) VALUES (",
    );
    let sql = sql.bind::<SqlUuid, _>(user.id.0).text(", ").bind::<Text, _>(user.email);
    let sql = sql.text(", ").bind::<Text, _>(email_key.clone()).text(", ").bind::<Text, _>(user.name);
    let sql = sql.text(", ").bind::<Nullable<Text>, _>(user.password.map(|hash| hash.0));
    let sql = sql.text(", ").bind::<Timestamptz, _>(user.created_at);
    let sql = sql.text(
        ") ON CONFLICT (email_key) DO NOTHING RETURNING id), \
         person AS (SELECT id FROM made UNION ALL SELECT id FROM users WHERE email_key = ",
    );
    let sql = sql
        .bind::<Text, _>(email_key)
        .text(" LIMIT 1) INSERT INTO members (workspace_id, user_id, role, created_at) SELECT ");
    let sql = sql.bind::<SqlUuid, _>(workspace.0).text(", id, ").bind::<Text, _>(member.role.as_str());
    sql.text(", ").bind::<Timestamptz, _>(member.created_at).text(" FROM person RETURNING user_id")
}
