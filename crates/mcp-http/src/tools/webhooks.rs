//! Webhook subscriptions.

use domain::identity::access::{CreateWebhooks, DeleteWebhooks, ReadWebhooks, UpdateWebhooks};
use domain::kernel::input::json::{Json, Map};
use domain::tools::Tool;
use domain::webhooks::{
    self, CreatedSubscription, DisabledReason, Module, RotateFields, SubscriptionFields, SubscriptionView,
};
use domain::{Error, SubscriptionId};
use schemars::JsonSchema;
use serde::Serialize;

use crate::arguments::{Delete, Get, NamedId, NoArguments, Paged, Update, WithId};
use crate::long_texts::{Detail, LongMember, LongTexts};
use crate::outputs::{Deleted, Listing, ToolOutput};
use crate::tool::{ToolCall, ToolRequest, ToolResult};

impl LongTexts for SubscriptionView {
    const NAMES: &'static [&'static str] = &[];

    fn read_on_with(&self) -> Option<Tool> {
        None
    }

    fn long_texts(&mut self) -> Vec<LongMember<'_>> {
        Vec::new()
    }
}

/// A subscription in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    id: SubscriptionId,
    module: Module,
    url: String,
    events: Vec<String>,
    scope: Option<Map<String, Json>>,
    enabled: bool,
    disabled_reason: Option<DisabledReason>,
}

impl Row {
    fn of(subscription: &SubscriptionView) -> Self {
        Self {
            id: subscription.id,
            module: subscription.module,
            url: subscription.url.clone(),
            events: subscription.events.clone(),
            scope: subscription.scope.clone(),
            enabled: subscription.enabled,
            disabled_reason: subscription.disabled_reason,
        }
    }
}

/// A subscription with the secret that is shown this once.
#[derive(Serialize, JsonSchema)]
pub(crate) struct WithSecret {
    #[serde(flatten)]
    subscription: SubscriptionView,
    /// Shown this once: verify deliveries with it.
    secret: String,
}

impl ToolOutput for WithSecret {}

impl NamedId for RotateFields {
    const ID: &'static str = "id";
    const IS_OF: &'static str = "Which one.";
}

fn with_secret<T: ToolCall>(call: &ToolRequest<T>, made: &CreatedSubscription) -> WithSecret {
    let subscription = made.subscription.to_view(call.ports.clock.now());
    WithSecret { subscription, secret: made.secret.reveal().to_owned() }
}

/// Lists webhook subscriptions.
pub(crate) struct ListWebhooks;

impl ToolCall for ListWebhooks {
    const TOOL: Tool = Tool::ListWebhooks;
    const TITLE: &'static str = "List webhooks";
    const DESCRIPTION: &'static str =
        "Lists the webhook subscriptions of the workspace, newest first: where events go. Cheap.";
    type Permission = ReadWebhooks;
    type Arguments = Paged<NoArguments, SubscriptionView>;
    type Output = Listing<Row>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let page = webhooks::list(&call.ports, &call.permit, call.arguments.page).await?;
        Ok(ToolResult::Fresh(Listing::of(page, Row::of)))
    }
}

/// Reads a subscription.
pub(crate) struct GetWebhook;

impl ToolCall for GetWebhook {
    const TOOL: Tool = Tool::GetWebhook;
    const TITLE: &'static str = "Get webhook";
    const DESCRIPTION: &'static str =
        "Reads one webhook subscription by its id: whether it is enabled, failing or disabled, and why. Cheap.";
    type Permission = ReadWebhooks;
    type Arguments = Get<SubscriptionView>;
    type Output = Detail<SubscriptionView>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let found = webhooks::read(&call.ports, &call.permit, call.arguments.id.into()).await?;
        Ok(ToolResult::Fresh(Detail::new(found, None)))
    }
}

/// Makes a subscription.
pub(crate) struct CreateWebhook;

impl ToolCall for CreateWebhook {
    const TOOL: Tool = Tool::CreateWebhook;
    const TITLE: &'static str = "Create webhook";
    const DESCRIPTION: &'static str = "Subscribes a URL to events of a module. From then on the events of the workspace are sent there: get approval first. The signing secret is in this answer alone.";
    type Permission = CreateWebhooks;
    type Arguments = SubscriptionFields;
    type Output = WithSecret;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let made = webhooks::create(&call.ports, &call.permit, call.arguments.clone()).await?;
        Ok(ToolResult::Fresh(with_secret(&call, &made)))
    }
}

/// Changes a subscription.
pub(crate) struct UpdateWebhook;

impl ToolCall for UpdateWebhook {
    const TOOL: Tool = Tool::UpdateWebhook;
    const TITLE: &'static str = "Update webhook";
    const DESCRIPTION: &'static str = "Changes a subscription: url, events, scope, description, or enabled to switch it off and on. Absent fields stay.";
    type Permission = UpdateWebhooks;
    type Arguments = Update<SubscriptionFields>;
    type Output = Detail<SubscriptionView>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Update { id, expected, fields } = call.arguments;
        let changed = webhooks::update(&call.ports, &call.permit, id.into(), expected, fields).await?;
        Ok(ToolResult::Fresh(Detail::new(changed, None)))
    }
}

/// Deletes a subscription.
pub(crate) struct DeleteWebhook;

impl ToolCall for DeleteWebhook {
    const TOOL: Tool = Tool::DeleteWebhook;
    const TITLE: &'static str = "Delete webhook";
    const DESCRIPTION: &'static str =
        "Deletes a subscription and cancels what is queued for it. To pause one instead, set enabled to false.";
    type Permission = DeleteWebhooks;
    type Arguments = Delete;
    type Output = Deleted;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Delete { id, expected } = call.arguments;
        webhooks::delete(&call.ports, &call.permit, id.into(), expected).await?;
        Ok(ToolResult::Fresh(Deleted::of(id)))
    }
}

/// Exchanges the secret of a subscription.
pub(crate) struct RotateWebhookSecret;

impl ToolCall for RotateWebhookSecret {
    const TOOL: Tool = Tool::RotateWebhookSecret;
    const TITLE: &'static str = "Rotate webhook secret";
    const DESCRIPTION: &'static str = "Gives a subscription a new signing secret, which is in this answer alone. The old one goes on signing beside it for overlap_seconds (a day unless given).";
    type Permission = UpdateWebhooks;
    type Arguments = WithId<RotateFields>;
    type Output = WithSecret;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let WithId { id, fields } = &call.arguments;
        let made = webhooks::rotate_secret(&call.ports, &call.permit, (*id).into(), fields.clone()).await?;
        Ok(ToolResult::Fresh(with_secret(&call, &made)))
    }
}
