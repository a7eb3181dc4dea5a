//! `/api/settings/webhooks`.

pub(crate) mod deliveries;
pub(crate) mod replays;

use domain::SubscriptionId;
use domain::event_types::{self, TestFields};
use domain::identity::access::{CreateWebhooks, DeleteWebhooks, ReadWebhooks, UpdateWebhooks};
use domain::kernel::input::CreatedFilter;
use domain::kernel::versions::ExpectedVersion;
use domain::webhooks::{
    self, DeliveryView, PlainSecret, RotateFields, Subscription, SubscriptionFields, SubscriptionView,
};
use http_core::body::{self, Patch};
use http_core::conditions::NoneMatch;
use http_core::description::{Changed, Created, Shown};
use http_core::endpoint::{EndpointRequest, HandlerResult};
use http_core::query::Filtered;
use http_core::{action, operation, responses};
use schemars::JsonSchema;
use serde::Serialize;

/// A webhook with its secret, which is shown only once.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WebhookWithSecret")]
pub(crate) struct WithSecret<'a> {
    secret: &'a str,
    #[serde(flatten)]
    shown: SubscriptionView,
    /// The webhooks that the same request created for its other modules. They have the same secret.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-contract" = "additional"))]
    others: Vec<SubscriptionView>,
}

impl<'a> WithSecret<'a> {
    fn new(secret: &'a PlainSecret, shown: SubscriptionView) -> Self {
        Self { secret: secret.reveal(), shown, others: Vec::new() }
    }
}

operation! {
    /// List webhooks.
    List = "GET /api/settings/webhooks", access: ReadWebhooks, query: Filtered<CreatedFilter, Subscription>
    => list(webhooks::list(filter, page)) -> SubscriptionView
}

// No idempotency key: a response that contains a secret is never stored.
operation! {
    /// Create a webhook.
    Create = "POST /api/settings/webhooks", access: CreateWebhooks, body: body::Create<SubscriptionFields>,
    errors: [Conflict]
    => create -> Created<WithSecret<'static>>
}

async fn create(call: EndpointRequest<Create>) -> HandlerResult {
    let created = webhooks::create(&call.ports, &call.permit, call.body.0).await?;
    let shown = created.subscription.to_view(created.subscription.created_at);
    let location = format!("/api/settings/webhooks/{}", shown.id);
    let others = created.others.iter().map(|other| other.to_view(other.created_at)).collect();
    let shown = WithSecret { others, ..WithSecret::new(&created.secret, shown) };
    Ok(responses::created_without_replay(&shown, location))
}

operation! {
    /// Read a webhook.
    Read = "GET /api/settings/webhooks/{webhook_id}", access: ReadWebhooks, path: SubscriptionId, headers: NoneMatch
    => one(webhooks::read(path)) -> SubscriptionView
}

operation! {
    /// Change a webhook.
    Update = "PATCH /api/settings/webhooks/{webhook_id}",
    access: UpdateWebhooks, path: SubscriptionId, headers: ExpectedVersion, body: Patch<SubscriptionFields>
    => update -> (Changed<WithSecret<'static>>, Changed<SubscriptionView>)
}

async fn update(call: EndpointRequest<Update>) -> HandlerResult {
    let changed = webhooks::update(&call.ports, &call.permit, call.path, call.headers, call.body.0).await?;
    let shown = changed.subscription.to_view(call.ports.clock.now());
    let version = shown.version;
    Ok(match &changed.secret {
        Some(secret) => responses::changed(&WithSecret::new(secret, shown), version),
        None => responses::changed(&shown, version),
    })
}

operation! {
    /// Delete a webhook.
    Delete = "DELETE /api/settings/webhooks/{webhook_id}",
    access: DeleteWebhooks, path: SubscriptionId, headers: ExpectedVersion
    => deleted(webhooks::delete(path, headers))
}

operation! {
    /// Delete a webhook and the others of its group.
    DeleteGroup = "DELETE /api/settings/webhooks/{webhook_id}/group", contract: additional,
    access: DeleteWebhooks, path: SubscriptionId, headers: ExpectedVersion
    => deleted(webhooks::delete_group(path, headers))
}

operation! {
    /// Rotate the secret of a webhook.
    RotateSecret = "POST /api/settings/webhooks/{webhook_id}/rotate-secret",
    access: UpdateWebhooks, path: SubscriptionId, body: body::Optional<RotateFields>, errors: [Conflict]
    => rotate_secret -> Shown<WithSecret<'static>>
}

async fn rotate_secret(call: EndpointRequest<RotateSecret>) -> HandlerResult {
    let rotated = webhooks::rotate_secret(&call.ports, &call.permit, call.path, call.body.0).await?;
    let shown = rotated.subscription.to_view(rotated.subscription.updated_at);
    Ok(responses::ok(&WithSecret::new(&rotated.secret, shown)))
}

action! {
    /// Send a test delivery.
    Test = "POST /api/settings/webhooks/{webhook_id}/test",
    access: UpdateWebhooks, path: SubscriptionId, body: body::Optional<TestFields>
    => event_types::send_test(path, body) -> DeliveryView, accepted
}
