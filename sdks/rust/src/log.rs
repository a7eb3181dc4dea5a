//! Events of the event log and of webhooks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::types::{CrmRecord, EventActor, EventModule};

/// An event with the record as of that time.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct EventOf<D> {
    /// A UUID of version 7, which contains the time of the event.
    pub id: String,
    pub module: EventModule,
    /// Its name, such as `deal.won`.
    pub event: String,
    pub created_at: String,
    /// The record of the event; for a comment, the record that was commented on.
    pub record: Option<CrmRecord>,
    pub actor: EventActor,
    /// The id of the request that caused it.
    pub request_id: Option<String>,
    /// The tool that was called, if any.
    pub tool: Option<String>,
    /// The record's version after the event.
    pub version: Option<i64>,
    /// How many tasks and cycles were deleted or restored together with a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cascade: Option<BTreeMap<String, u64>>,
    /// The event of the project with which a task or cycle was deleted or restored: its name, `event`, and its `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<BTreeMap<String, String>>,
    /// The members that changed.
    pub changes: BTreeMap<String, Change>,
    /// The record as of that time, or the comment.
    pub data: D,
}

/// A webhook delivery: an event with the record as of that time.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct DeliveryOf<P> {
    /// The id of the delivery, the same in every attempt.
    pub id: String,
    /// The event's name, such as `deal.won`.
    pub event: String,
    /// The id of the event in the log, the same for every webhook, redelivery and replay. Test deliveries have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_id: Option<String>,
    pub workspace_id: String,
    /// When it happened.
    pub created_at: String,
    pub payload: P,
}

/// The payload of a delivery.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Payload<D> {
    /// The record as of that time, or the comment.
    pub data: D,
    /// The members that changed.
    pub changes: BTreeMap<String, Change>,
    pub actor: EventActor,
    /// The event of the project with which a task or cycle was deleted or restored: its name, `event`, and its `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<BTreeMap<String, String>>,
}

/// The payload of a test delivery.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct TestPayload {
    pub message: String,
    pub module: String,
    /// The event that the sample is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample_of: Option<String>,
    /// The sample record or comment, which does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

/// A changed member.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Change {
    pub from: Value,
    pub to: Value,
}

macro_rules! events {
    ($($event:literal => $variant:ident($data:ident),)*) => {
        /// An event of the log.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum LogEvent {
            $(#[doc = concat!("`", $event, "`")] $variant(Box<$crate::EventOf<$data>>),)*
            /// An event that another system reported, of an erased record, whose data is only its id, or of a newer
            /// service.
            Other(Box<Event>),
        }

        impl From<Event> for LogEvent {
            fn from(event: Event) -> Self {
                let known = match event.event.as_str() {
                    $($event => $crate::log::known(&event).map(Self::$variant),)*
                    _ => None,
                };
                known.unwrap_or_else(|| Self::Other(Box::new(event)))
            }
        }

        impl LogEvent {
            /// Its name, such as `deal.won`.
            pub fn name(&self) -> &str {
                match self {
                    $(Self::$variant(event) => &event.event,)*
                    Self::Other(event) => &event.event,
                }
            }

            pub fn id(&self) -> &str {
                match self {
                    $(Self::$variant(event) => &event.id,)*
                    Self::Other(event) => &event.id,
                }
            }
        }

        /// A webhook delivery.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum WebhookDelivery {
            $(#[doc = concat!("`", $event, "`")] $variant(Box<$crate::DeliveryOf<$crate::Payload<$data>>>),)*
            /// A test delivery.
            Test(Box<$crate::DeliveryOf<$crate::TestPayload>>),
            /// An event that another system reported, of an erased record, whose data is only its id, or of a newer
            /// service.
            Other(Box<$crate::DeliveryOf<serde_json::Value>>),
        }

        impl From<$crate::DeliveryOf<serde_json::Value>> for WebhookDelivery {
            fn from(delivery: $crate::DeliveryOf<serde_json::Value>) -> Self {
                let known = match delivery.event.as_str() {
                    $($event => $crate::log::known(&delivery).map(Self::$variant),)*
                    "webhook.test" => $crate::log::known(&delivery).map(Self::Test),
                    _ => None,
                };
                known.unwrap_or_else(|| Self::Other(Box::new(delivery)))
            }
        }

        impl WebhookDelivery {
            /// The name of its event, such as `deal.won`.
            pub fn event(&self) -> &str {
                match self {
                    $(Self::$variant(delivery) => &delivery.event,)*
                    Self::Test(delivery) => &delivery.event,
                    Self::Other(delivery) => &delivery.event,
                }
            }

            /// The id of the delivery, the same in every attempt. Use it to detect duplicates.
            pub fn id(&self) -> &str {
                match self {
                    $(Self::$variant(delivery) => &delivery.id,)*
                    Self::Test(delivery) => &delivery.id,
                    Self::Other(delivery) => &delivery.id,
                }
            }
        }
    };
}

pub(crate) use events;

/// Converts to typed data, if the data has this type.
pub(crate) fn known<T: serde::de::DeserializeOwned>(event: &impl Serialize) -> Option<Box<T>> {
    serde_json::to_value(event).and_then(serde_json::from_value).ok()
}
