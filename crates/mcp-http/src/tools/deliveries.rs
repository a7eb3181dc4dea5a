//! Deliveries of webhooks.

use domain::event_types::{self, TestFields};
use domain::identity::access::{Permit, ReadWebhooks, UpdateWebhooks};
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use domain::kernel::input::schema::{OptionalTimestampText, TimestampText};
use domain::kernel::input::{Line, Several};
use domain::kernel::paging::{Page, PageRequest};
use domain::ports::Ports;
use domain::tools::Tool;
use domain::webhooks::{self, DeliveryFilter, DeliveryState, DeliveryView, FailedReason};
use domain::{DeliveryId, Error, EventId, ReplayId, SubscriptionId, fields};
use time::OffsetDateTime;

use crate::arguments::{Id, WithId};
use crate::long_texts::{LongMember, LongTexts};
use crate::outputs::row;
use crate::tool::{Entry, entry};

/// Maximum length of a receiver's responses, in characters, if the result would be too large otherwise: of each, and of all
/// together.
const MAX_RESPONSE_CHARACTERS: usize = 200;
const MAX_TOTAL_CHARACTERS: usize = 2_000;

impl LongTexts for DeliveryView {
    const NAMES: &'static [&'static str] = &["body"];

    fn reader_tool(&self) -> Option<Tool> {
        Some(Tool::GetWebhookDelivery)
    }

    fn long_texts(&mut self) -> Vec<LongMember<'_>> {
        vec![LongMember::Json(&mut self.body)]
    }

    fn tighten_other_fields(&mut self) {
        let count = self.attempts.as_ref().map_or(1, Vec::len).max(1);
        let limit = (MAX_TOTAL_CHARACTERS / count).min(MAX_RESPONSE_CHARACTERS);
        for response in self.attempts.iter_mut().flatten().filter_map(|attempt| attempt.response.as_mut()) {
            if let Some((end, _)) = response.char_indices().nth(limit) {
                response.truncate(end);
                response.push_str(" … [cut]");
            }
        }
    }
}

row! {
    /// A delivery in a list: all of it but body and attempts.
    Row of DeliveryView {
        id: DeliveryId,
        webhook_id: SubscriptionId,
        event: String,
        event_id: Option<EventId>,
        state: DeliveryState,
        attempt_count: u32,
        #[serde(with = "OptionalTimestampText")]
        next_attempt_at: Option<OffsetDateTime>,
        #[serde(with = "OptionalTimestampText")]
        redelivered_at: Option<OffsetDateTime>,
        replay_id: Option<ReplayId>,
        failed_reason: Option<FailedReason>,
        #[serde(with = "TimestampText")]
        created_at: OffsetDateTime,
        #[serde(with = "OptionalTimestampText")]
        finished_at: Option<OffsetDateTime>,
    }
}

fields! {
    /// The filter of a list of deliveries.
    pub(crate) struct Filter {
        /// The subscription of the deliveries.
        webhook_id: SubscriptionId = required,
        /// In any of these states.
        state: Several<DeliveryState, 6>,
        /// Only deliveries of this event; aliases work too.
        event: Line<100>,
    }
}

async fn list(
    ports: &Ports,
    permit: &Permit<ReadWebhooks>,
    filter: Filter,
    page: PageRequest,
) -> Result<Page<DeliveryView>, Error> {
    let id = filter.webhook_id.set().copied().ok_or(Error::NotFound("webhook"))?;
    let states = filter.state.set().map(|several| several.0.clone()).unwrap_or_default();
    let event = filter.event.set().map(|event| event.as_str().to_owned());
    let filter = DeliveryFilter { states, event, ..DeliveryFilter::default() };
    webhooks::list_deliveries(ports, permit, id, filter, page).await
}

async fn send_test(
    ports: &Ports,
    permit: &Permit<UpdateWebhooks>,
    idempotency: Option<IdempotentRequest<DeliveryView>>,
    WithId { id, fields }: WithId<TestFields>,
) -> Result<IdempotentResult<DeliveryView>, Error> {
    event_types::send_test(ports, permit, idempotency, id.into(), fields).await
}

async fn redeliver(
    ports: &Ports,
    permit: &Permit<UpdateWebhooks>,
    idempotency: Option<IdempotentRequest<DeliveryView>>,
    Id(id): Id,
) -> Result<IdempotentResult<DeliveryView>, Error> {
    webhooks::redeliver(ports, permit, idempotency, id.into()).await
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(
            Tool::ListWebhookDeliveries,
            "List webhook deliveries",
            "Lists the deliveries of one subscription, newest first, for 30 days.",
        )
        .list(list, Row::of),
        entry(
            Tool::GetWebhookDelivery,
            "Get webhook delivery",
            "Reads one delivery with its body and every attempt with status, duration and error.",
        )
        .get(webhooks::read_delivery),
        entry(
            Tool::TestWebhook,
            "Test webhook",
            "Sends a test event to a subscription, even a disabled one. get_webhook_delivery shows the outcome.",
        )
        .create(send_test),
        entry(
            Tool::RedeliverWebhook,
            "Redeliver webhook",
            "Sends a delivery again, with the same id and body and new retries for 24 hours.",
        )
        .create(redeliver),
    ]
}
