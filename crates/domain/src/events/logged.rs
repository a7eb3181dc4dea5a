//! Events as the log stores them and as readers see them (interface 24.3).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Cascade, EventCause, LogPlace, Module};
use crate::EventId;
use crate::kernel::input::schema::TimestampText;

/// An event of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedEvent {
    /// Its position in the order of the workspace's events, from 1, as followers see it. Assigned after the commit; 0 until then.
    pub position: i64,
    pub id: EventId,
    pub module: Module,
    pub name: String,
    /// Noun and id of the record that the event is about; `None` for an event that another system reported.
    pub record: Option<(String, Uuid)>,
    pub version: Option<i64>,
    /// Whether the event was hidden from webhooks.
    pub is_internal: bool,
    pub actor: EventActor,
    pub request_id: Option<String>,
    pub tool: Option<String>,
    /// The payload as JSON text.
    pub payload: String,
    pub created_at: OffsetDateTime,
}

/// The actor, with their name at the time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EventActor {
    /// `user`, `api_key`, `trial`, `customer` or `system`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The id of the user or key; null for customers and the service itself.
    pub id: Option<Uuid>,
    pub name: String,
}

/// A record that an event is about, as shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "EventRecord")]
pub struct EventRecordView {
    /// Its kind, the first part of the event's name.
    #[serde(rename = "type")]
    pub kind: String,
    pub id: Uuid,
}

/// An event as shown in the API.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Event")]
pub struct EventView {
    pub id: EventId,
    pub module: Module,
    /// The event's name, such as deal.won.
    pub event: String,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    /// The record it is about; for a comment, the record it is on. Null for an event that another system reported.
    pub record: Option<EventRecordView>,
    pub actor: EventActor,
    /// The id of the request that caused it; null if no request did.
    pub request_id: Option<String>,
    /// The tool that was called, if any.
    pub tool: Option<String>,
    /// The record's version after the change; null for comments and for events that other systems reported.
    pub version: Option<i64>,
    /// What a project took along when it was deleted or restored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cascade: Option<Cascade>,
    /// With which event of its project a task or a cycle was deleted or restored; not there if that happened to it alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<EventCause>,
    /// Each field that changed, with from and to.
    #[schemars(with = "Map<String, Json>")]
    pub changes: Box<RawValue>,
    /// The record or comment as it was then; the reported payload for an event that another system reported.
    #[schemars(with = "Json")]
    pub data: Box<RawValue>,
}

/// The record whose events a history shows (interface 24.6).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryQuery {
    pub record: Uuid,
    /// The nouns of the record's events. An event with another noun is about a record of another kind.
    pub nouns: Vec<&'static str>,
    /// Whether the history includes comments on the record.
    pub has_comments: bool,
    /// The time of the request. No event is more than a day newer, so later months need not be read.
    pub now: OffsetDateTime,
}

/// The payload of an event of the service.
#[derive(Deserialize)]
struct Payload {
    data: Box<RawValue>,
    changes: Box<RawValue>,
    cascade: Option<Cascade>,
    cause: Option<EventCause>,
}

/// An event with its JSON, which is serialized once for all followers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownEvent {
    /// The event without its payload, which is in the JSON.
    pub event: LoggedEvent,
    /// [`EventView`] as JSON, in one line.
    pub json: Box<str>,
}

impl From<LoggedEvent> for ShownEvent {
    fn from(mut event: LoggedEvent) -> Self {
        let payload = std::mem::take(&mut event.payload);
        let without_payload = event.clone();
        // A view consists of strings, numbers and maps with string keys, which always serialize.
        let json = serde_json::to_string(&LoggedEvent { payload, ..event }.view()).unwrap_or_default();
        Self { event: without_payload, json: json.into() }
    }
}

impl EventView {
    pub fn parsed_changes(&self) -> Json {
        parsed(&self.changes)
    }

    pub fn parsed_data(&self) -> Json {
        parsed(&self.data)
    }
}

/// Raw JSON is always valid.
fn parsed(json: &RawValue) -> Json {
    serde_json::from_str(json.get()).unwrap_or_default()
}

impl LoggedEvent {
    /// The place after the event.
    pub const fn place(&self) -> LogPlace {
        LogPlace { position: self.position, event: self.id }
    }

    /// The event as shown in the API. The payload of a reported event is shown byte for byte.
    pub fn view(self) -> EventView {
        let parsed = self.record.as_ref().and_then(|_| serde_json::from_str::<Payload>(&self.payload).ok());
        let Payload { data, changes, cascade, cause } = parsed.unwrap_or_else(|| Payload {
            // Only JSON is appended to the log.
            data: RawValue::from_string(self.payload).unwrap_or_default(),
            changes: RawValue::from_string("{}".to_owned()).unwrap_or_default(),
            cascade: None,
            cause: None,
        });
        EventView {
            id: self.id,
            module: self.module,
            event: self.name,
            created_at: self.created_at,
            record: self.record.map(|(kind, id)| EventRecordView { kind, id }),
            actor: self.actor,
            request_id: self.request_id,
            tool: self.tool,
            version: self.version,
            cascade,
            cause,
            changes,
            data,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logged(record: Option<(String, Uuid)>, payload: &str) -> LoggedEvent {
        LoggedEvent {
            position: 1,
            id: EventId(Uuid::nil()),
            module: Module::Crm,
            name: "deal.won".to_owned(),
            record,
            version: Some(2),
            is_internal: false,
            actor: EventActor { kind: "user".to_owned(), id: None, name: "Ann".to_owned() },
            request_id: None,
            tool: None,
            payload: payload.to_owned(),
            created_at: OffsetDateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn events_show_the_record_and_its_changes() {
        let payload = r#"{"data":{"id":"1"},"changes":{"stage":{"from":"a","to":"b"}},"actor":{}}"#;
        let view = logged(Some(("deal".to_owned(), Uuid::nil())), payload).view();
        assert_eq!(view.data.get(), r#"{"id":"1"}"#);
        assert_eq!(view.changes.get(), r#"{"stage":{"from":"a","to":"b"}}"#);
        assert_eq!((view.cascade, view.cause), (None, None));
    }

    #[test]
    fn events_show_their_cause() {
        let cause = EventCause { event: "project.deleted".to_owned(), id: Uuid::nil() };
        let json = serde_json::to_string(&cause).unwrap();
        let payload = format!(r#"{{"actor":{{}},"changes":{{}},"data":{{}},"cause":{json}}}"#);
        assert_eq!(logged(Some(("task".to_owned(), Uuid::nil())), &payload).view().cause, Some(cause));
    }

    #[test]
    fn payloads_of_reported_events_are_shown_unchanged() {
        for payload in [r#"{"data":1,"changes":2}"#, "[1.0000000000000000000001]", "null"] {
            let view = logged(None, payload).view();
            assert_eq!((view.data.get(), view.changes.get()), (payload, "{}"));
        }
    }
}
