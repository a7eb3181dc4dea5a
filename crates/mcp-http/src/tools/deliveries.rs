//! Deliveries of webhooks.

use domain::identity::access::{ReadWebhooks, UpdateWebhooks};
use domain::kernel::input::schema::TimestampText;
use domain::kernel::input::{Line, Several, timestamp_json};
use domain::tools::Tool;
use domain::webhooks::{self, DeliveryFilter, DeliveryState, DeliveryView};
use domain::{DeliveryId, Error, SubscriptionId, fields};
use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;

use crate::arguments::{Get, Id, Paged};
use crate::long_texts::{Detail, LongMember, LongTexts};
use crate::outputs::Listing;
use crate::tool::{ToolCall, ToolRequest, ToolResult};

/// Characters of a receiver's answer that are shown where all of them would be too much.
const SHOWN_OF_RESPONSE: usize = 200;

impl LongTexts for DeliveryView {
    const NAMES: &'static [&'static str] = &["body"];

    fn read_on_with(&self) -> Option<Tool> {
        Some(Tool::GetWebhookDelivery)
    }

    fn long_texts(&mut self) -> Vec<LongMember<'_>> {
        vec![LongMember::Json(&mut self.body)]
    }

    fn tighten_the_rest(&mut self) {
        for response in self.attempts.iter_mut().flatten().filter_map(|attempt| attempt.response.as_mut()) {
            if let Some((end, _)) = response.char_indices().nth(SHOWN_OF_RESPONSE) {
                response.truncate(end);
                response.push_str(" … [cut]");
            }
        }
    }
}

/// A delivery in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    id: DeliveryId,
    event: String,
    state: DeliveryState,
    attempt_count: u32,
    #[serde(with = "timestamp_json")]
    #[schemars(with = "TimestampText")]
    created_at: OffsetDateTime,
}

impl Row {
    fn of(delivery: &DeliveryView) -> Self {
        Self {
            id: delivery.id,
            event: delivery.event.clone(),
            state: delivery.state,
            attempt_count: delivery.attempt_count,
            created_at: delivery.created_at,
        }
    }
}

fields! {
    /// Which deliveries.
    pub(crate) struct Filter {
        /// The subscription that they are for.
        webhook_id: SubscriptionId = required,
        /// In any of these states.
        state: Several<DeliveryState, 6>,
        /// Of this event alone.
        event: Line<100>,
    }
}

/// Lists the deliveries of a subscription.
pub(crate) struct ListWebhookDeliveries;

impl ToolCall for ListWebhookDeliveries {
    const TOOL: Tool = Tool::ListWebhookDeliveries;
    const TITLE: &'static str = "List webhook deliveries";
    const DESCRIPTION: &'static str = "Lists what was sent, or is to be sent, for one subscription, newest first; filter by state failed to find trouble. Kept 30 days. Cheap.";
    type Permission = ReadWebhooks;
    type Arguments = Paged<Filter, DeliveryView>;
    type Output = Listing<Row>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let Paged { filter, page, .. } = call.arguments;
        let id = filter.webhook_id.set().copied().ok_or(Error::NotFound("webhook"))?;
        let states = filter.state.set().map(|several| several.0.clone()).unwrap_or_default();
        let event = filter.event.set().map(|event| event.as_str().to_owned());
        let filter = DeliveryFilter { states, event };
        let page = webhooks::list_deliveries(&call.ports, &call.permit, id, filter, page).await?;
        Ok(ToolResult::Fresh(Listing::of(page, Row::of)))
    }
}

/// Reads a delivery.
pub(crate) struct GetWebhookDelivery;

impl ToolCall for GetWebhookDelivery {
    const TOOL: Tool = Tool::GetWebhookDelivery;
    const TITLE: &'static str = "Get webhook delivery";
    const DESCRIPTION: &'static str =
        "Reads one delivery with the body that was sent and every attempt with status, duration and error. Cheap.";
    type Permission = ReadWebhooks;
    type Arguments = Get<DeliveryView>;
    type Output = Detail<DeliveryView>;

    async fn call(call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let found = webhooks::read_delivery(&call.ports, &call.permit, call.arguments.id.into()).await?;
        Ok(ToolResult::Fresh(Detail::new(found, call.arguments.part)))
    }
}

/// Sends a test.
pub(crate) struct TestWebhook;

impl ToolCall for TestWebhook {
    const TOOL: Tool = Tool::TestWebhook;
    const TITLE: &'static str = "Test webhook";
    const DESCRIPTION: &'static str = "Sends a test event to a subscription, also while it is disabled. Look at the outcome with get_webhook_delivery.";
    type Permission = UpdateWebhooks;
    type Arguments = Id;
    type Output = Detail<DeliveryView>;

    async fn call(mut call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let once = call.once();
        Ok(ToolResult::made(webhooks::send_test(&call.ports, &call.permit, once, call.arguments.0.into()).await?))
    }
}

/// Sends a delivery again.
pub(crate) struct RedeliverWebhook;

impl ToolCall for RedeliverWebhook {
    const TOOL: Tool = Tool::RedeliverWebhook;
    const TITLE: &'static str = "Redeliver webhook";
    const DESCRIPTION: &'static str =
        "Sends the event of a delivery once more, under an id of its own. Use it after the receiver was mended.";
    type Permission = UpdateWebhooks;
    type Arguments = Id;
    type Output = Detail<DeliveryView>;

    async fn call(mut call: ToolRequest<Self>) -> Result<ToolResult<Self::Output>, Error> {
        let once = call.once();
        Ok(ToolResult::made(webhooks::redeliver(&call.ports, &call.permit, once, call.arguments.0.into()).await?))
    }
}
