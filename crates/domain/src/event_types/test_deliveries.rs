//! Test deliveries that show what an event of the service looks like (interface 16.45).

use super::CATALOGUE;
use crate::events::{ALL_EVENTS, MAX_NAME_LENGTH};
use crate::identity::access::{Permit, UpdateWebhooks};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::json::Json;
use crate::kernel::input::{Line, Problems, Read, Value, fields};
use crate::ports::Ports;
use crate::webhooks::{self, DeliveryView, TestSample};
use crate::{Error, SubscriptionId};

fields! {
    /// The body of a test.
    pub struct TestFields {
        /// An event that the webhook asks for. The test then contains a sample of its payload.
        /// Note: Adds a sample of this event's payload.
        event: SampledEvent,
    }
}

/// The name of an event. An empty name is refused, because a client that sends one expects a sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampledEvent(Line<MAX_NAME_LENGTH>);

impl Value for SampledEvent {
    fn schema() -> Json {
        Line::<MAX_NAME_LENGTH>::schema()
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let read = Line::read(json, at, problems).map(Self);
        if matches!(read, Read::Empty) {
            return problems.invalid(at, "required", "must be the name of an event, such as task.created, or left out");
        }
        read
    }
}

/// Queues a test delivery, with the sample of an event if one is named.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] for an event that the service does not emit, or that the webhook does not subscribe to.
pub async fn send_test(
    ports: &Ports,
    permit: &Permit<UpdateWebhooks>,
    once: Option<IdempotentRequest<DeliveryView>>,
    id: SubscriptionId,
    fields: TestFields,
) -> Result<IdempotentResult<DeliveryView>, Error> {
    let sample = fields.event.set().map(|SampledEvent(name)| sample_of(name.as_str())).transpose()?;
    webhooks::send_test(ports, permit, once, id, sample).await
}

/// The sample of an event, by its name or an alias.
fn sample_of(name: &str) -> Result<TestSample, Error> {
    let entry =
        CATALOGUE.iter().find(|entry| entry.module.canonical(name).is_some_and(|canonical| canonical == entry.event));
    let message = match name {
        ALL_EVENTS => "must be one event, such as task.created: * stands for all of them",
        _ => "must be an event of the service, such as task.created: others have no sample",
    };
    let entry = entry.ok_or_else(|| Error::invalid("event", "unknown_event", message))?;
    Ok(TestSample { module: entry.module, event: entry.event, payload: entry.example.clone() })
}
