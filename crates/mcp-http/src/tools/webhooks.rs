//! Webhook subscriptions.

use domain::identity::access::{CreateWebhooks, DeleteWebhooks, ReadWebhooks, UpdateWebhooks};
use domain::kernel::input::json::{Json, Map};
use domain::tools::Tool;
use domain::webhooks::{
    self, CreatedSubscription, DisabledReason, Module, RotateFields, ShownSubscription, SubscriptionFields,
};
use domain::{Error, SubscriptionId};
use schemars::JsonSchema;
use serde::Serialize;

use crate::answers::{Answer, Deleted, Listing};
use crate::arguments::{Delete, Get, Named, Nothing, Of, Paged, Update};
use crate::long_texts::{Detail, Long, LongTexts};
use crate::tool::{Call, Done, ToolCall};

impl LongTexts for ShownSubscription {
    const NAMES: &'static [&'static str] = &[];

    fn read_on_with(&self) -> Option<Tool> {
        None
    }

    fn long_texts(&mut self) -> Vec<Long<'_>> {
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
    fn of(subscription: &ShownSubscription) -> Self {
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
    subscription: ShownSubscription,
    /// Shown this once: verify deliveries with it.
    secret: String,
}

impl Answer for WithSecret {}

impl Named for RotateFields {
    const ID: &'static str = "id";
    const IS_OF: &'static str = "Which one.";
}

fn with_secret<T: ToolCall>(call: &Call<T>, made: &CreatedSubscription) -> WithSecret {
    let subscription = made.subscription.shown(call.ports.clock.now());
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
    type Arguments = Paged<Nothing, ShownSubscription>;
    type Answer = Listing<Row>;

    async fn call(call: Call<Self>) -> Result<Done<Self::Answer>, Error> {
        let page = webhooks::list(&call.ports, &call.permit, call.arguments.page).await?;
        Ok(Done::Fresh(Listing::of(page, Row::of)))
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
    type Arguments = Get<ShownSubscription>;
    type Answer = Detail<ShownSubscription>;

    async fn call(call: Call<Self>) -> Result<Done<Self::Answer>, Error> {
        let found = webhooks::read(&call.ports, &call.permit, call.arguments.id.into()).await?;
        Ok(Done::Fresh(Detail::new(found, None)))
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
    type Answer = WithSecret;

    async fn call(call: Call<Self>) -> Result<Done<Self::Answer>, Error> {
        let made = webhooks::create(&call.ports, &call.permit, call.arguments.clone()).await?;
        Ok(Done::Fresh(with_secret(&call, &made)))
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
    type Answer = Detail<ShownSubscription>;

    async fn call(call: Call<Self>) -> Result<Done<Self::Answer>, Error> {
        let Update { id, expected, fields } = call.arguments;
        let changed = webhooks::update(&call.ports, &call.permit, id.into(), expected, fields).await?;
        Ok(Done::Fresh(Detail::new(changed, None)))
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
    type Answer = Deleted;

    async fn call(call: Call<Self>) -> Result<Done<Self::Answer>, Error> {
        let Delete { id, expected } = call.arguments;
        webhooks::delete(&call.ports, &call.permit, id.into(), expected).await?;
        Ok(Done::Fresh(Deleted::of(id)))
    }
}

/// Exchanges the secret of a subscription.
pub(crate) struct RotateWebhookSecret;

impl ToolCall for RotateWebhookSecret {
    const TOOL: Tool = Tool::RotateWebhookSecret;
    const TITLE: &'static str = "Rotate webhook secret";
    const DESCRIPTION: &'static str = "Gives a subscription a new signing secret, which is in this answer alone. The old one goes on signing beside it for overlap_seconds (a day unless given).";
    type Permission = UpdateWebhooks;
    type Arguments = Of<RotateFields>;
    type Answer = WithSecret;

    async fn call(call: Call<Self>) -> Result<Done<Self::Answer>, Error> {
        let Of { id, fields } = &call.arguments;
        let made = webhooks::rotate_secret(&call.ports, &call.permit, (*id).into(), fields.clone()).await?;
        Ok(Done::Fresh(with_secret(&call, &made)))
    }
}
