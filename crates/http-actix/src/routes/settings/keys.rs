//! `/api/settings/api-keys`.

use domain::ApiKeyId;
use domain::identity::access::ManageKeys;
use domain::identity::api_keys::{self, ApiKey, ApiKeyView, KeyChangeFields, KeyFields};
use domain::kernel::versions::ExpectedVersion;
use domain::limits::Class;
use http_core::body::{self, Empty, Patch};
use http_core::endpoint::{EndpointRequest, HandlerResult};
use http_core::query::Paged;
use http_core::{LimitPolicy, operation, responses};
use serde::Serialize;

const CRITICAL: LimitPolicy = LimitPolicy::new(Class::Critical);

/// A new API key. Only this response shows its text.
#[derive(Serialize)]
struct NewKeyView<'a> {
    key: &'a str,
    #[serde(flatten)]
    shown: ApiKeyView,
}

operation! {
    List = "GET /api/settings/api-keys", access: ManageKeys, query: Paged<ApiKey>
    => list(api_keys::list(page))
}

// No idempotency key: a response that contains a secret is never stored.
operation! {
    Create = "POST /api/settings/api-keys", limits: CRITICAL, access: ManageKeys, body: body::Create<KeyFields>
    => create
}

async fn create(call: EndpointRequest<Create>) -> HandlerResult {
    let created = api_keys::create(&call.ports, &call.permit, call.body.0).await?;
    let shown = created.key.to_view(created.key.created_at);
    // No `Location`: no route reads one key.
    Ok(responses::ok_with_secret(&NewKeyView { key: created.plain.reveal(), shown }))
}

operation! {
    Update = "PATCH /api/settings/api-keys/{key_id}",
    limits: CRITICAL, access: ManageKeys, path: ApiKeyId, headers: ExpectedVersion, body: Patch<KeyChangeFields>
    => changed(api_keys::update(path, headers, body))
}

operation! {
    Revoke = "POST /api/settings/api-keys/{key_id}/revoke",
    limits: CRITICAL, access: ManageKeys, path: ApiKeyId, body: Empty
    => changed(api_keys::revoke(path))
}
