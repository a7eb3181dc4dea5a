//! API keys.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use domain::identity::access::{Preset, Scope};
use domain::identity::api_keys::{ApiKey, Trial};
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::PageRequest;
use domain::ports::{ApiKeyRepo, StoreError};
use domain::tools::{Tool, ToolPermission, ToolPermissions};
use domain::{ApiKeyId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::distribution::Class;
use crate::engine::columns::columns;
use crate::engine::convert;
use crate::engine::errors::expect_rows;
use crate::engine::page_query::{List, Order, PageQuery};
use crate::engine::statement::{RowOf, Statement, sql};
use crate::engine::tx::PgTx;
use crate::kernel::workspace_lock::lock_workspace;
use crate::schema::api_keys;

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = api_keys, treat_none_as_default_value = false)]
pub(crate) struct ApiKeyRow {
    workspace_id: Uuid,
    id: Uuid,
    name: String,
    lookup_id: String,
    secret_hash: Vec<u8>,
    scopes: Vec<String>,
    preset: Option<String>,
    permissions: Option<Vec<String>>,
    expires_at: Option<OffsetDateTime>,
    revoked_at: Option<OffsetDateTime>,
    last_used_at: Option<OffsetDateTime>,
    version: i64,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    created_by_type: String,
    created_by_id: Option<Uuid>,
    trial_tools: Option<Vec<String>>,
    trial_calls_limit: Option<i64>,
    trial_calls_used: Option<i64>,
    allowed_networks: Vec<String>,
    narrows_rest: bool,
}

impl ApiKeyRow {
    fn of(workspace: Uuid, key: &ApiKey) -> Self {
        let trial = key.trial.as_ref();
        let names = |trial: &Trial| trial.tools.iter().map(|tool| tool.as_str().to_owned()).collect();
        let words = |map: &ToolPermissions| map.granted().map(|permission| permission.as_str().to_owned()).collect();
        Self {
            workspace_id: workspace,
            id: key.id.0,
            name: key.name.clone(),
            lookup_id: key.lookup_id.clone(),
            secret_hash: key.secret.as_bytes().to_vec(),
            scopes: key.scopes.to_strings(),
            preset: key.preset.map(|preset| preset.as_str().to_owned()),
            permissions: key.permissions.as_ref().map(words),
            expires_at: key.expires_at,
            revoked_at: key.revoked_at,
            last_used_at: key.last_used_at,
            version: key.version,
            created_at: key.created_at,
            updated_at: key.updated_at,
            created_by_type: key.created_by.kind.as_str().to_owned(),
            created_by_id: key.created_by.id,
            trial_tools: trial.map(names),
            trial_calls_limit: trial.map(|trial| trial.calls_limit.into()),
            trial_calls_used: trial.map(|trial| trial.calls_used.into()),
            allowed_networks: key.allowed_networks.to_strings(),
            narrows_rest: key.narrows_rest,
        }
    }

    pub(crate) fn into_key(self) -> Result<ApiKey, StoreError> {
        // This release cannot allow a permission that only a newer one knows.
        let granted = |words: Vec<String>| words.iter().filter_map(|text| ToolPermission::parse(text)).collect();
        let trial = match (self.trial_tools, self.trial_calls_limit, self.trial_calls_used) {
            (Some(names), Some(limit), Some(used)) => Some(Trial {
                tools: names.iter().filter_map(|text| Tool::parse(text)).collect(),
                calls_limit: convert::small(limit)?,
                calls_used: convert::small(used)?,
            }),
            _ => None,
        };
        Ok(ApiKey {
            id: ApiKeyId(self.id),
            name: self.name,
            lookup_id: self.lookup_id,
            secret: convert::secret(self.secret_hash)?,
            scopes: self.scopes.iter().filter_map(|text| Scope::parse(text)).collect(),
            preset: self.preset.and_then(|text| Preset::parse(&text)),
            permissions: self.permissions.map(granted),
            narrows_rest: self.narrows_rest,
            trial,
            allowed_networks: convert::networks(&self.allowed_networks)?,
            expires_at: self.expires_at,
            revoked_at: self.revoked_at,
            last_used_at: self.last_used_at,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            created_by: convert::actor(&self.created_by_type, self.created_by_id)?,
        })
    }
}

impl ApiKeyRepo for PgTx<'_> {
    fn count_active_for_update(&mut self, now: OffsetDateTime) -> Result<u64, StoreError> {
        let workspace = self.workspace;
        // The count is a separate statement, so that it sees what previous holders of the lock inserted.
        lock_workspace(self, Class::Local)?;
        convert::count(self.value(active_query(workspace, now))?)
    }

    fn insert(&mut self, key: &ApiKey) -> Result<(), StoreError> {
        let row = ApiKeyRow::of(self.workspace, key);
        self.execute(diesel::insert_into(api_keys::table).values(row)).map(drop)
    }

    fn list(&mut self, filter: &CreatedFilter, page: &PageRequest) -> Result<Vec<ApiKey>, StoreError> {
        let rows: Vec<ApiKeyRow> = self.page(list_query(self.workspace, filter, page), page)?;
        rows.into_iter().map(ApiKeyRow::into_key).collect()
    }

    fn active_of(&mut self, user: UserId, now: OffsetDateTime, limit: u32) -> Result<Vec<ApiKey>, StoreError> {
        let rows: Vec<ApiKeyRow> = self.load(active_of_query(self.workspace, user.0, now, limit))?;
        rows.into_iter().map(ApiKeyRow::into_key).collect()
    }

    fn revoke_all_of(&mut self, user: UserId, now: OffsetDateTime) -> Result<Vec<ApiKey>, StoreError> {
        let rows: Vec<ApiKeyRow> = self.load(revoke_query(self.workspace, user.0, now))?;
        let mut keys: Vec<_> = rows.into_iter().map(ApiKeyRow::into_key).collect::<Result<_, _>>()?;
        keys.sort_by_key(|key| std::cmp::Reverse((key.created_at, key.id)));
        Ok(keys)
    }

    fn get(&mut self, id: ApiKeyId) -> Result<Option<ApiKey>, StoreError> {
        let query = api_keys::table.find((self.workspace, id.0)).select(ApiKeyRow::as_select());
        self.first(query)?.map(ApiKeyRow::into_key).transpose()
    }

    fn take_trial_call(&mut self, id: ApiKeyId) -> Result<bool, StoreError> {
        let has_one_left = api_keys::trial_calls_used.lt(api_keys::trial_calls_limit);
        let target = diesel::update(api_keys::table.find((self.workspace, id.0)).filter(has_one_left));
        let one_more_call = api_keys::trial_calls_used.eq(api_keys::trial_calls_used + 1);
        Ok(self.execute(target.set(one_more_call))? == 1)
    }

    fn get_for_update(&mut self, id: ApiKeyId) -> Result<Option<ApiKey>, StoreError> {
        let query = api_keys::table.find((self.workspace, id.0)).select(ApiKeyRow::as_select()).for_no_key_update();
        self.first(query)?.map(ApiKeyRow::into_key).transpose()
    }

    fn save(&mut self, key: &ApiKey) -> Result<(), StoreError> {
        let target = diesel::update(api_keys::table.find((self.workspace, key.id.0)));
        // Without `last_used_at`, which other transactions update concurrently.
        let affected = self.execute(target.set((
            api_keys::name.eq(key.name.clone()),
            api_keys::revoked_at.eq(key.revoked_at),
            api_keys::allowed_networks.eq(key.allowed_networks.to_strings()),
            api_keys::narrows_rest.eq(key.narrows_rest),
            api_keys::version.eq(key.version),
            api_keys::updated_at.eq(key.updated_at),
        )))?;
        expect_rows(affected, 1)
    }
}

/// Two counts, each over a range of the index, so that revoked and expired keys, which are unbounded, are not read.
pub(crate) fn active_query(workspace: Uuid, now: OffsetDateTime) -> Statement<BigInt> {
    let sql = sql!(
        "SELECT (
             SELECT count(*) FROM api_keys WHERE workspace_id = $1 AND revoked_at IS NULL AND expires_at IS NULL
         ) + (
             SELECT count(*) FROM api_keys WHERE workspace_id = $1 AND revoked_at IS NULL AND expires_at > $2
         )"
    );
    sql.returns().bind(workspace).bind(now)
}

const LIST: List =
    List { select: columns!(ApiKeyRow), from: "api_keys", conditions: "workspace_id = $1", order: Order::Newest };

pub(crate) fn list_query(workspace: Uuid, filter: &CreatedFilter, page: &PageRequest) -> Statement<RowOf<ApiKeyRow>> {
    PageQuery::new(&LIST, workspace, page).created(filter).build()
}

/// Workspace and name of active keys with permissions that do not narrow REST.
pub(crate) fn wider_query(limit: u32) -> Statement<(Text, Text)> {
    let sql = sql!(
        "SELECT workspaces.slug, api_keys.name
         FROM api_keys JOIN workspaces ON workspaces.id = api_keys.workspace_id
         WHERE api_keys.permissions IS NOT NULL AND NOT api_keys.narrows_rest AND api_keys.revoked_at IS NULL
             AND (api_keys.expires_at IS NULL OR api_keys.expires_at > now())
         ORDER BY workspaces.slug, api_keys.created_at, api_keys.id LIMIT $1"
    );
    sql.returns().bind(i64::from(limit))
}

const COLUMNS: &str = columns!(ApiKeyRow);

pub(crate) fn active_of_query(
    workspace: Uuid,
    user: Uuid,
    now: OffsetDateTime,
    limit: u32,
) -> Statement<RowOf<ApiKeyRow>> {
    let sql = sql!(
        "SELECT {COLUMNS} FROM api_keys
         WHERE workspace_id = $1 AND created_by_id = $2 AND revoked_at IS NULL
             AND (expires_at IS NULL OR expires_at > $3)
         ORDER BY created_at DESC, id DESC LIMIT $4"
    );
    sql.returns().bind(workspace).bind(user).bind(now).bind(i64::from(limit))
}

pub(crate) fn revoke_query(workspace: Uuid, user: Uuid, now: OffsetDateTime) -> Statement<RowOf<ApiKeyRow>> {
    let sql = sql!(
        "UPDATE api_keys SET revoked_at = $3, updated_at = $3, version = version + 1
         WHERE workspace_id = $1 AND created_by_id = $2 AND revoked_at IS NULL
             AND (expires_at IS NULL OR expires_at > $3)
         RETURNING {COLUMNS}"
    );
    sql.returns().bind(workspace).bind(user).bind(now)
}
