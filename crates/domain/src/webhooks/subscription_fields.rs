//! The fields of a subscription that clients send, and the rules that depend on the module (interface 16.4).

use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use super::TargetPolicy;
use super::custom_headers::HeaderFields;
use crate::events::{ALL_EVENTS, Module};
use crate::kernel::input::schema::format_schema;
use crate::kernel::input::{InputMode, Items, LongText, Problems, Read, TargetUrl, Value, fields, parse_uuid, path};

const MAX_EVENTS: usize = 50;

/// An object such as `{"project_id": …}`. Which member is allowed depends on the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeObject {
    column: String,
    pub(super) id: Uuid,
}

impl Value for ScopeObject {
    fn schema() -> Json {
        let id = format_schema("uuid");
        let properties: Map<_, _> = Module::scope_columns().map(|column| (column.to_owned(), id.clone())).collect();
        json!({ "type": "object", "properties": properties, "additionalProperties": false, "maxProperties": 1, "minProperties": 1 })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::Object(object) = json else {
            problems.shape(at, "invalid_type", "must be an object such as {\"project_id\": \"…\"}, or null");
            return Read::Invalid;
        };
        let mut members = object.into_iter();
        let (Some((column, id)), None) = (members.next(), members.next()) else {
            problems.shape(at, "invalid_value", "must have exactly one member");
            return Read::Invalid;
        };
        let column: String = column.chars().take(100).collect();
        if let Some(id) = id.as_str().and_then(parse_uuid) {
            return Read::Value(Self { column, id });
        }
        problems.shape(path(at, &column), "invalid_uuid", "must be a UUID");
        Read::Invalid
    }
}

fields! {
    /// The writable fields of a subscription.
    pub struct SubscriptionFields {
        /// The area whose events are sent; it never changes.
        module: Module = required,
        /// The URL that deliveries are sent to.
        url: TargetUrl = required,
        /// Its purpose, as a note for the team.
        description: LongText<1_000>,
        /// Event names such as task.created, or `*` for all events of the module.
        events: Items<MAX_EVENTS, 100> = required,
        /// The one project, booking link or contract whose events are sent.
        /// Note: Only events of this one; absent: all.
        /// Default: all.
        scope: ScopeObject,
        /// Whether events are sent.
        /// Default: true.
        enabled: bool,
        /// Additional headers of its requests, such as Authorization for a gateway: names and values, all of them each time.
        /// Values are never shown; null keeps the stored one. Another scheme, host or port in url removes them unless they
        /// are sent again.
        headers: HeaderFields,
    }
    together events_of_the_module;
}

/// Checks the target, and events and scope against the module. A patch has no module, so its check needs the stored
/// subscription.
fn events_of_the_module(fields: &SubscriptionFields, _: InputMode, problems: &mut Problems) {
    if let Some(context) = problems.context() {
        note_target(fields, context.settings.targets, problems);
    }
    if let Some(module) = fields.module.set() {
        check_events(*module, fields, problems);
        check_scope(*module, fields, problems);
    }
    if fields.events.set().is_some_and(|events| events.as_slice().is_empty()) {
        problems.rule("events", "required", "must have at least one event");
    }
}

/// Reports a target that the operator's policy does not allow.
pub(super) fn note_target(fields: &SubscriptionFields, targets: TargetPolicy, problems: &mut Problems) {
    if let Some(Err(refusal)) = fields.url.set().map(|url| targets.check(url.as_str())) {
        problems.rule("url", "invalid_target", refusal.to_string());
    }
}

pub(super) fn check_events(module: Module, fields: &SubscriptionFields, problems: &mut Problems) {
    for (index, name) in fields.events.set().map(Items::as_slice).unwrap_or_default().iter().enumerate() {
        if module.canonical(name).is_none() {
            let right = match module.events() {
                [] => "a name such as booking.confirmed, in lower case".to_owned(),
                events => format!("one of {}", events.join(", ")),
            };
            problems.rule(format!("events[{index}]"), "unknown_event", format!("must be {right}, or {ALL_EVENTS}"));
        }
    }
}

pub(super) fn check_scope(module: Module, fields: &SubscriptionFields, problems: &mut Problems) {
    let Some(scope) = fields.scope.set() else { return };
    if module.scope_column() != Some(scope.column.as_str()) {
        let message = match module.scope_column() {
            Some(column) => format!("must contain {column}, the only scope of {module}"),
            None => format!("must be null: a webhook of {module} covers the whole workspace"),
        };
        problems.rule("scope", "unknown_scope", message);
    }
}
