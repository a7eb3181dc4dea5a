//! `/api/settings/api-keys`.

use domain::ApiKeyId;
use domain::identity::access::ManageKeys;
use domain::identity::api_keys::{self, ApiKey, ApiKeyView, KeyChangeFields, KeyFields};
use domain::kernel::input::CreatedFilter;
use domain::kernel::versions::ExpectedVersion;
use http_core::body::{self, Empty, Patch};
use http_core::description::CreatedWithoutLocation;
use http_core::endpoint::{EndpointRequest, HandlerResult};
use http_core::query::Filtered;
use http_core::{LimitPolicy, operation, responses};
use schemars::JsonSchema;
use serde::Serialize;

/// A new API key. Only this response shows the key itself.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "NewApiKey")]
pub(crate) struct NewKeyView<'a> {
    key: &'a str,
    #[serde(flatten)]
    shown: ApiKeyView,
}

operation! {
    /// List API keys.
    List = "GET /api/settings/api-keys", access: ManageKeys, query: Filtered<CreatedFilter, ApiKey>
    => list(api_keys::list(filter, page)) -> ApiKeyView
}

// No idempotency key: a response that contains a secret is never stored.
operation! {
    /// Create an API key.
    Create = "POST /api/settings/api-keys", limits: LimitPolicy::CRITICAL, access: ManageKeys, body: body::Create<KeyFields>,
    errors: [Conflict]
    => create -> CreatedWithoutLocation<NewKeyView<'static>>
}

async fn create(call: EndpointRequest<Create>) -> HandlerResult {
    let created = api_keys::create(&call.ports, &call.permit, call.body.0).await?;
    let shown = created.key.to_view(created.key.created_at);
    // No `Location`: no route reads one key.
    Ok(responses::ok_with_secret(&NewKeyView { key: created.plain.reveal(), shown }))
}

operation! {
    /// Change an API key.
    Update = "PATCH /api/settings/api-keys/{key_id}",
    limits: LimitPolicy::CRITICAL, access: ManageKeys, path: ApiKeyId, headers: ExpectedVersion, body: Patch<KeyChangeFields>
    => changed(api_keys::update(path, headers, body)) -> ApiKeyView
}

operation! {
    /// Revoke an API key.
    Revoke = "POST /api/settings/api-keys/{key_id}/revoke",
    limits: LimitPolicy::CRITICAL, access: ManageKeys, path: ApiKeyId, body: Empty, errors: [Conflict]
    => changed(api_keys::revoke(path)) -> ApiKeyView
}
