//! Webhook subscriptions.

use domain::events::Module;
use domain::identity::access::{CreateWebhooks, Permit, ReadWebhooks, UpdateWebhooks};
use domain::kernel::input::CreatedFilter;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::paging::{Page, PageRequest};
use domain::ports::Ports;
use domain::tools::Tool;
use domain::webhooks::{self, CreatedSubscription, DisabledReason, RotateFields, SubscriptionFields, SubscriptionView};
use domain::{Error, SubscriptionId};
use schemars::JsonSchema;
use serde::Serialize;

use crate::arguments::{NoFilter, Update, WithId};
use crate::long_texts::long_texts;
use crate::outputs::{ToolOutput, row};
use crate::tool::{Entry, ToolRequest, ToolResult, entry};

long_texts!(SubscriptionView, None);

row! {
    /// A subscription in a list.
    Row of SubscriptionView {
        id: SubscriptionId,
        module: Module,
        url: String,
        events: Vec<String>,
        scope: Option<Map<String, Json>>,
        enabled: bool,
        disabled_reason: Option<DisabledReason>,
        /// Whether the key or member that made it can no longer read what it sends.
        creator_gone: bool,
    }
}

/// A subscription with its secret, which is shown only once.
#[derive(Serialize, JsonSchema)]
pub(crate) struct WithSecret {
    #[serde(flatten)]
    subscription: SubscriptionView,
    /// Shown only once; verifies the signatures of deliveries.
    secret: String,
    /// Those of the other modules, if several were named; they have the same secret.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<SubscriptionView>,
}

impl ToolOutput for WithSecret {}

/// A changed subscription.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Updated {
    #[serde(flatten)]
    subscription: SubscriptionView,
    /// The new secret, only if the host of the URL changed; shown only once.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

impl ToolOutput for Updated {}

fn with_secret(ports: &Ports, created: &CreatedSubscription) -> WithSecret {
    let now = ports.clock.now();
    let others = created.others.iter().map(|other| other.to_view(now)).collect();
    WithSecret { subscription: created.subscription.to_view(now), secret: created.secret.reveal().to_owned(), others }
}

async fn list(
    ports: &Ports,
    permit: &Permit<ReadWebhooks>,
    _: NoFilter,
    page: PageRequest,
) -> Result<Page<SubscriptionView>, Error> {
    webhooks::list(ports, permit, CreatedFilter::default(), page).await
}

async fn create(call: ToolRequest<CreateWebhooks, SubscriptionFields>) -> Result<ToolResult<WithSecret>, Error> {
    let created = webhooks::create(&call.ports, &call.permit, call.arguments).await?;
    Ok(ToolResult::Fresh(with_secret(&call.ports, &created)))
}

async fn update(call: ToolRequest<UpdateWebhooks, Update<SubscriptionFields>>) -> Result<ToolResult<Updated>, Error> {
    let Update { id, expected, fields } = call.arguments;
    let changed = webhooks::update(&call.ports, &call.permit, id.into(), expected, fields).await?;
    Ok(ToolResult::Fresh(Updated {
        subscription: changed.subscription.to_view(call.ports.clock.now()),
        secret: changed.secret.map(|secret| secret.reveal().to_owned()),
    }))
}

async fn rotate_secret(
    call: ToolRequest<UpdateWebhooks, WithId<RotateFields>>,
) -> Result<ToolResult<WithSecret>, Error> {
    let WithId { id, fields } = call.arguments;
    let created = webhooks::rotate_secret(&call.ports, &call.permit, id.into(), fields).await?;
    Ok(ToolResult::Fresh(with_secret(&call.ports, &created)))
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(Tool::ListWebhooks, "List webhooks", "Lists the webhook subscriptions of the workspace, newest first.")
            .list(list, Row::of),
        entry(
            Tool::GetWebhook,
            "Get webhook",
            "Reads one webhook subscription: whether it is enabled, failing or disabled, and why.",
        )
        .get(webhooks::read),
        entry(
            Tool::CreateWebhook,
            "Create webhook",
            "Subscribes a URL to events of one or several modules, which then leave the workspace: get approval. Only this result shows the signing secret.",
        )
        .run(create),
        entry(
            Tool::UpdateWebhook,
            "Update webhook",
            "Changes a subscription; null clears a field. A new host in url drops headers not sent again and replaces the signing secret, which only this result shows.",
        )
        .run(update),
        entry(
            Tool::DeleteWebhook,
            "Delete webhook",
            "Deletes a subscription and cancels its queued deliveries. To pause one, set enabled to false.",
        )
        .delete(webhooks::delete),
        entry(
            Tool::RotateWebhookSecret,
            "Rotate webhook secret",
            "Gives a subscription a new signing secret, which only this result shows. The old one also signs for overlap_seconds.",
        )
        .run(rotate_secret),
    ]
}
