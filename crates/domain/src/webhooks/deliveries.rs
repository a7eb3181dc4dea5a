//! The delivery history and test deliveries (interface 16.18, 16.21).

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use time::OffsetDateTime;

use super::{Attempt, Delivery, DeliveryState, FailedReason, Subscription, WebhookReach, compose_body};
use crate::events::{ALL_EVENTS, MAX_NAME_LENGTH, Module, TEST_EVENT, event_name_schema, is_event_name};
use crate::filter;
use crate::identity::access::{Permit, ReadWebhooks, UpdateWebhooks};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::schema::{OptionalTimestampText, TimestampText};
use crate::kernel::input::{CreatedFilter, Line, Problems, Read, Several, Value, filter_texts, times_of_creation};
use crate::kernel::paging::{Page, PageRequest, paginated};
use crate::ports::{Ports, Tx, read_only, transact_idempotent};
use crate::{DeliveryId, Error, EventId, ReplayId, SubscriptionId};

/// Filters of a subscription's delivery list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// Any of these states; empty means all.
    pub states: Vec<DeliveryState>,
    pub event: Option<String>,
    pub created: CreatedFilter,
}

/// The name of an event in the delivery list: an event of a module, or a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveredEvent(String);

impl Value for DeliveredEvent {
    fn schema() -> Json {
        Line::<MAX_NAME_LENGTH>::schema()
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        match json {
            Json::String(name) if is_event_name(&name) || name == TEST_EVENT => Read::Value(Self(name)),
            _ => problems.malformed(at, "invalid_value", "must be the name of an event, such as task.created"),
        }
    }
}

filter_texts!(DeliveredEvent => event_name_schema());

filter! {
    /// A client's filter of a subscription's delivery list.
    pub struct DeliveryCriteria {
        /// In any of these states.
        state: Several<DeliveryState, 6>,
        /// Of this event; aliases work too.
        event: Option<DeliveredEvent>,
        /// Created at this time or later.
        /// Contract: additional.
        created_since: Option<OffsetDateTime>,
        /// Created before this time.
        /// Contract: additional.
        created_before: Option<OffsetDateTime>,
    }
    together DeliveryCriteria::check_range;
}

times_of_creation!(DeliveryCriteria, checked);

impl From<DeliveryCriteria> for DeliveryFilter {
    fn from(criteria: DeliveryCriteria) -> Self {
        let created = criteria.created();
        let event = criteria.event.map(|DeliveredEvent(name)| name);
        Self { states: criteria.state.0, event, created }
    }
}

/// A delivery as shown in the API.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Delivery")]
pub struct DeliveryView {
    pub id: DeliveryId,
    pub webhook_id: SubscriptionId,
    pub event: String,
    /// The id of the event in the event log; null for a test.
    #[schemars(extend("x-contract" = "additional"))]
    pub event_id: Option<EventId>,
    pub state: DeliveryState,
    /// How many attempts were made.
    pub attempt_count: u32,
    #[serde(with = "OptionalTimestampText")]
    pub next_attempt_at: Option<OffsetDateTime>,
    /// When a redelivery was last requested.
    #[serde(with = "OptionalTimestampText")]
    pub redelivered_at: Option<OffsetDateTime>,
    /// The replay that queued it; null if it was queued when the event happened.
    #[schemars(extend("x-contract" = "additional"))]
    pub replay_id: Option<ReplayId>,
    /// Why it failed without another attempt; otherwise see the last attempt.
    pub failed_reason: Option<FailedReason>,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    #[serde(with = "OptionalTimestampText")]
    pub finished_at: Option<OffsetDateTime>,
    /// The body as sent; present only when a single delivery is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Json>,
    /// The attempts, oldest first; present only when a single delivery is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<Vec<Attempt>>,
}

paginated!(DeliveryView: DELIVERIES);

impl Delivery {
    pub fn to_view(&self) -> DeliveryView {
        let is_waiting = matches!(self.state, DeliveryState::Pending | DeliveryState::Retrying);
        DeliveryView {
            id: self.id,
            webhook_id: self.subscription_id,
            event: self.event.clone(),
            event_id: self.event_id,
            state: self.state,
            attempt_count: self.attempts,
            next_attempt_at: self.next_attempt_at.filter(|_| is_waiting),
            redelivered_at: self.redelivered_at,
            replay_id: self.replay_id,
            failed_reason: self.failed_reason,
            created_at: self.created_at,
            finished_at: self.finished_at,
            body: None,
            attempts: None,
        }
    }

    /// A new delivery, due immediately.
    pub(super) fn new(
        id: DeliveryId,
        subscription_id: SubscriptionId,
        event: String,
        body: String,
        now: OffsetDateTime,
    ) -> Self {
        Self {
            id,
            subscription_id,
            event,
            event_id: None,
            body,
            state: DeliveryState::Pending,
            attempts: 0,
            attempts_before: 0,
            next_attempt_at: Some(now),
            redelivered_at: None,
            replay_id: None,
            failed_reason: None,
            created_at: now,
            finished_at: None,
        }
    }
}

/// Lists the deliveries of a subscription, newest first. The filter also accepts aliases of events.
///
/// # Errors
/// [`Error::NotFound`] for the subscription.
pub async fn list_deliveries(
    ports: &Ports,
    permit: &Permit<ReadWebhooks>,
    id: SubscriptionId,
    filter: impl Into<DeliveryFilter>,
    page: PageRequest,
) -> Result<Page<DeliveryView>, Error> {
    let (reach, filter) = (WebhookReach::for_permit(permit), filter.into());
    let rows = read_only(ports, permit, move |tx| {
        let record = reach.find_record(tx.subscriptions().get(id)?)?;
        find_deliveries(tx, &record.subscription, &filter, &page)
    })
    .await?;
    Ok(Page::from_rows(rows, &page).map(|delivery| delivery.to_view()))
}

/// The deliveries of a subscription, newest first, one more than the page size.
pub(super) fn find_deliveries(
    tx: &mut dyn Tx,
    subscription: &Subscription,
    filter: &DeliveryFilter,
    page: &PageRequest,
) -> Result<Vec<Delivery>, Error> {
    let canonical = |event: &String| subscription.module.canonical(event).unwrap_or_else(|| event.clone());
    let filter = DeliveryFilter { event: filter.event.as_ref().map(canonical), ..filter.clone() };
    Ok(tx.deliveries().list(subscription.id, &filter, page)?)
}

/// Reads a delivery with its body and its attempts.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read_delivery(
    ports: &Ports,
    permit: &Permit<ReadWebhooks>,
    id: DeliveryId,
) -> Result<DeliveryView, Error> {
    let reach = WebhookReach::for_permit(permit);
    read_only(ports, permit, move |tx| {
        let delivery = tx.deliveries().get(id)?.ok_or(Error::NotFound("delivery"))?;
        check_reach(&reach, tx, &delivery)?;
        let attempts = tx.deliveries().attempts(id)?;
        // Queued bodies are JSON. If parsing fails anyway, show the raw text.
        let body = match delivery.body.as_str() {
            "" => Json::Null,
            text => serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.to_owned())),
        };
        Ok(DeliveryView { body: Some(body), attempts: Some(attempts), ..delivery.to_view() })
    })
    .await
}

/// Checks that the caller reaches the subscription and may read the delivery's event, because the subscription may have had other
/// events when the delivery was queued. Only callers that reach everything may read deliveries of a deleted subscription.
pub(super) fn check_reach(reach: &WebhookReach, tx: &mut dyn Tx, delivery: &Delivery) -> Result<(), Error> {
    if reach.is_everything() {
        return Ok(());
    }
    let record = reach.find_record(tx.subscriptions().get(delivery.subscription_id)?);
    let is_covered = record.is_ok_and(|it| reach.covers_event(it.subscription.module, &delivery.event));
    if is_covered { Ok(()) } else { Err(Error::NotFound("delivery")) }
}

/// A sample payload of an event, for a test delivery.
#[derive(Debug, Clone)]
pub(crate) struct TestSample {
    pub(crate) module: Module,
    pub(crate) event: &'static str,
    /// The payload, in the format of the event.
    pub(crate) payload: Json,
}

impl TestSample {
    /// # Errors
    /// [`Error::Invalid`] unless the subscription includes the event.
    fn check(&self, subscription: &Subscription) -> Result<(), Error> {
        let module = subscription.module;
        let is_subscribed = |event: &str| subscription.events.iter().any(|name| name == event || name == ALL_EVENTS);
        if module == self.module && is_subscribed(self.event) {
            return Ok(());
        }
        let names: Vec<_> = module.events().iter().copied().filter(|event| is_subscribed(event)).collect();
        let message = match &*names {
            [] => format!("must be left out: events of {module} have no samples"),
            names => format!("must be an event of the webhook: {}", names.join(", ")),
        };
        Err(Error::invalid("event", "unknown_event", message))
    }
}

/// The payload of a test. It includes the fields of a sample, so that receivers find them where the real event has them.
fn test_payload(module: Module, sample: Option<&TestSample>) -> Json {
    let mut payload = Map::new();
    payload.insert("message".to_owned(), "This is a test.".into());
    payload.insert("module".to_owned(), json!(module));
    if let Some(TestSample { event, payload: sample_payload, .. }) = sample {
        payload.insert("sample_of".to_owned(), json!(event));
        payload.extend(sample_payload.as_object().cloned().unwrap_or_default());
    }
    payload.into()
}

/// Queues a test delivery regardless of the subscription's events, and even while it is disabled. Its event is always the test
/// event, so that receivers do not mistake a sample for something that happened.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] for a sample of an event that the subscription does not include.
pub(crate) async fn send_test(
    ports: &Ports,
    permit: &Permit<UpdateWebhooks>,
    once: Option<IdempotentRequest<DeliveryView>>,
    id: SubscriptionId,
    sample: Option<TestSample>,
) -> Result<IdempotentResult<DeliveryView>, Error> {
    let (now, new_id, workspace) = (ports.clock.now(), DeliveryId(ports.ids.new_id()), permit.workspace_id());
    let reach = WebhookReach::for_permit(permit);
    transact_idempotent(ports, permit, once, move |tx| {
        let record = reach.find_record(tx.subscriptions().get(id)?)?;
        sample.as_ref().map_or(Ok(()), |sample| sample.check(&record.subscription))?;
        let payload = test_payload(record.subscription.module, sample.as_ref()).to_string();
        let body = compose_body(new_id, workspace, (TEST_EVENT, None), now, &payload);
        let delivery = Delivery::new(new_id, id, TEST_EVENT.to_owned(), body, now);
        tx.deliveries().insert(&delivery)?;
        Ok(delivery.to_view())
    })
    .await
}
