//! Events: of the log, and of webhooks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::types::{CrmRecord, EventActor, EventModule};

/// An event with the record as it was then.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct EventOf<D> {
    /// Of version 7, with the time of the event.
    pub id: String,
    pub module: EventModule,
    /// Its name, such as `deal.won`.
    pub event: String,
    pub created_at: String,
    /// The record that it is about, for a comment the record that it is on.
    pub record: Option<CrmRecord>,
    pub actor: EventActor,
    /// The id of the request that did it.
    pub request_id: Option<String>,
    /// The tool that was called, if one was.
    pub tool: Option<String>,
    /// The record's version since.
    pub version: Option<i64>,
    /// How many tasks and cycles a project took along when it was deleted or restored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cascade: Option<BTreeMap<String, u64>>,
    /// With which event of its project a task or a cycle was deleted or restored: its name, `event`, and its `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<BTreeMap<String, String>>,
    /// The members that changed.
    pub changes: BTreeMap<String, Change>,
    /// The record as it was then, or the comment.
    pub data: D,
}

/// A delivery of a webhook: an event with the record as it was then.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct DeliveryOf<P> {
    /// The id of the delivery, the same in every attempt.
    pub id: String,
    /// The event's name, such as `deal.won`.
    pub event: String,
    /// The id of the event in the log, the same for every webhook, redelivery and replay. Tests have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_id: Option<String>,
    pub workspace_id: String,
    /// When it happened.
    pub created_at: String,
    pub payload: P,
}

/// What a delivery says.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Payload<D> {
    /// The record as it was then, or the comment.
    pub data: D,
    /// The members that changed.
    pub changes: BTreeMap<String, Change>,
    pub actor: EventActor,
    /// With which event of its project a task or a cycle was deleted or restored: its name, `event`, and its `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<BTreeMap<String, String>>,
}

/// What a test delivery says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct TestPayload {
    pub message: String,
    pub module: String,
    /// The event of which it contains a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample_of: Option<String>,
    /// The sampled record or comment, which is made up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

/// A change of a member.
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
            /// An event that another system reported, one of an erased record, whose data is its id alone, or one of a newer
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

        /// A delivery of a webhook.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum WebhookDelivery {
            $(#[doc = concat!("`", $event, "`")] $variant(Box<$crate::DeliveryOf<$crate::Payload<$data>>>),)*
            /// A test.
            Test(Box<$crate::DeliveryOf<$crate::TestPayload>>),
            /// An event that another system reported, one of an erased record, whose data is its id alone, or one of a newer
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

            /// The id of the delivery, the same in every attempt: what duplicates are known by.
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

/// The same with the type of its data, if it is of that.
pub(crate) fn known<T: serde::de::DeserializeOwned>(event: &impl Serialize) -> Option<Box<T>> {
    serde_json::to_value(event).and_then(serde_json::from_value).ok()
}
