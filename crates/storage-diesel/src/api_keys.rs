//! API keys.

use diesel::prelude::*;
use diesel::sql_types::{Timestamptz, Uuid as SqlUuid};
use domain::ApiKeyId;
use domain::access::{Preset, Scope};
use domain::api_keys::{ApiKey, HashedSecret};
use domain::ports::{ApiKeyRepo, StoreError};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::cached_sql::CachedSql;
use crate::convert;
use crate::schema::api_keys;
use crate::tx::PgTx;

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
    expires_at: Option<OffsetDateTime>,
    revoked_at: Option<OffsetDateTime>,
    created_at: OffsetDateTime,
}

impl ApiKeyRow {
    fn of(workspace: Uuid, key: &ApiKey) -> Self {
        Self {
            workspace_id: workspace,
            id: key.id.0,
            name: key.name.clone(),
            lookup_id: key.lookup_id.clone(),
            secret_hash: key.secret.as_bytes().to_vec(),
            scopes: key.scopes.words(),
            preset: key.preset.map(|preset| preset.as_str().to_owned()),
            expires_at: key.expires_at,
            revoked_at: key.revoked_at,
            created_at: key.created_at,
        }
    }

    pub(crate) fn into_key(self) -> Result<ApiKey, StoreError> {
        let secret = <[u8; 32]>::try_from(self.secret_hash)
            .map_err(|_| StoreError::Internal("a secret's hash does not have 32 bytes".to_owned()))?;
        Ok(ApiKey {
            id: ApiKeyId(self.id),
            name: self.name,
            lookup_id: self.lookup_id,
            secret: HashedSecret::from_bytes(secret),
            scopes: self.scopes.iter().map(|text| convert::word(text, Scope::parse)).collect::<Result<_, _>>()?,
            preset: self.preset.map(|text| convert::word(&text, Preset::from_word)).transpose()?,
            expires_at: self.expires_at,
            revoked_at: self.revoked_at,
            created_at: self.created_at,
        })
    }
}

impl ApiKeyRepo for PgTx<'_> {
    fn insert(&mut self, key: &ApiKey) -> Result<(), StoreError> {
        let row = ApiKeyRow::of(self.workspace, key);
        self.execute(diesel::insert_into(api_keys::table).values(row)).map(drop)
    }

    fn get_for_update(&mut self, id: ApiKeyId) -> Result<Option<ApiKey>, StoreError> {
        let query = api_keys::table.find((self.workspace, id.0)).select(ApiKeyRow::as_select()).for_no_key_update();
        self.first(query)?.map(ApiKeyRow::into_key).transpose()
    }

    fn revoke(&mut self, id: ApiKeyId, now: OffsetDateTime) -> Result<(), StoreError> {
        let sql = CachedSql::<()>::new("UPDATE api_keys SET revoked_at = ")
            .bind::<Timestamptz, _>(now)
            .text(" WHERE workspace_id = ")
            .bind::<SqlUuid, _>(self.workspace)
            .text(" AND id = ")
            .bind::<SqlUuid, _>(id.0);
        self.execute(sql).map(drop)
    }
}
