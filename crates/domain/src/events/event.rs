//! Events: what happened to a record, as the log stores it and webhooks deliver it (interface 16.11, 16.12, 24.2).

use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Cascade, EventCause, Module};
use crate::identity::access::{Principal, RecordKind};
use crate::kernel::input::{CUSTOM_FIELDS, changed_custom_fields};

/// An event, ready to be appended to the log.
#[derive(Debug, Clone)]
pub struct Event {
    /// The module whose subscriptions may receive it.
    pub module: Module,
    /// The canonical name.
    pub name: String,
    /// The value of the module's scope column, if the record has one.
    pub scope: Option<Uuid>,
    /// The scope that the record left with this change; its subscriptions receive the event too.
    pub former_scope: Option<Uuid>,
    /// The record that the event is about; `None` for an event that another system reported.
    pub record: Option<EventRecord>,
    /// The record's version after the change; `None` if the event did not change the record, such as for comments.
    pub version: Option<i64>,
    /// Whether the event is hidden from webhooks.
    pub is_internal: bool,
    pub by: Principal,
    /// The payload as JSON text, in its final form.
    pub payload: String,
    /// Later than all earlier events of the same record.
    pub at: OffsetDateTime,
}

impl Event {
    /// Adds to the payload the counts of records that were deleted or restored with the record, if any.
    #[must_use]
    pub(crate) fn with_cascade(self, cascade: Option<Cascade>) -> Self {
        self.with_field("cascade", cascade.as_ref())
    }

    /// Adds to the payload the other event that caused this one.
    #[must_use]
    pub(crate) fn with_cause(self, cause: Option<&EventCause>) -> Self {
        self.with_field("cause", cause)
    }

    fn with_field(mut self, name: &str, value: Option<&impl Serialize>) -> Self {
        // The payload is an object, because the service has written it itself.
        if let Some(value) = value
            && let Ok(value) = serde_json::to_string(value)
            && let Some(rest) = self.payload.strip_suffix('}')
        {
            self.payload = format!("{rest},\"{name}\":{value}}}");
        }
        self
    }
}

/// The record that an event is about. For an event about a comment, the record that the comment is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct EventRecord {
    /// The noun in the event's name.
    #[serde(rename = "type")]
    pub noun: &'static str,
    pub id: Uuid,
}

/// The verb of a change for which no field has a more specific verb.
const UPDATED: &str = "updated";
/// Fields that change with every write and carry no information for subscribers.
const BOOKKEEPING: [&str; 2] = ["version", "updated_at"];

/// A record that emits events.
pub trait EventSource: Serialize {
    /// The kind of the record that the events are about.
    fn kind(&self) -> RecordKind;
    fn record_id(&self) -> Uuid;
    /// The version of that record; `None` for something attached to a record.
    fn version(&self) -> Option<i64>;
    /// When it was last changed. Later than all previous changes.
    fn updated_at(&self) -> OffsetDateTime;
    /// The value of the scope column of the kind's module.
    fn scope(&self) -> Option<Uuid> {
        None
    }
    /// The verbs of the events that report a new record, all at the same version.
    fn creation_verbs(&self) -> &'static [&'static str] {
        &["created"]
    }
    /// The verb of a change to a field that has its own event. Several fields may share a verb. `self` is the record after the
    /// change.
    fn verb_of(&self, _before: &Self, _field: &str) -> Option<&'static str> {
        None
    }
    /// Whether the event is hidden from webhooks.
    fn is_internal(&self) -> bool {
        false
    }
}

/// The part of [`EventSource`] that all versioned records share, with the kind if it does not depend on the record.
macro_rules! event_source {
    ($kind:ident) => {
        fn kind(&self) -> $crate::identity::access::RecordKind {
            $crate::identity::access::RecordKind::$kind
        }

        $crate::events::event_source!();
    };
    () => {
        fn record_id(&self) -> uuid::Uuid {
            self.id.0
        }

        fn version(&self) -> Option<i64> {
            Some(self.version)
        }

        fn updated_at(&self) -> time::OffsetDateTime {
            self.updated_at
        }
    };
}
pub(crate) use event_source;

/// Builds the events of one use case: one actor, one point in time.
#[derive(Debug, Clone)]
pub struct EventBuilder {
    by: Principal,
    actor: Json,
    at: OffsetDateTime,
}

impl EventBuilder {
    pub(crate) fn new(principal: &Principal, at: OffsetDateTime) -> Self {
        let actor =
            json!({ "type": principal.actor_type(), "id": principal.actor.id, "name": principal.name.as_ref() });
        Self { by: principal.clone(), actor, at }
    }

    /// An event about the whole record, such as its deletion.
    pub(crate) fn happened(&self, record: &impl EventSource, verb: &str) -> Event {
        self.event(record, verb, record, &Map::new())
    }

    /// The events of a new record; they list no changes.
    pub(crate) fn created(&self, record: &impl EventSource) -> Vec<Event> {
        record.creation_verbs().iter().map(|verb| self.happened(record, verb)).collect()
    }

    /// The event of a restoration, with its changes.
    pub(crate) fn restored<R: EventSource>(&self, before: &R, after: &R) -> Event {
        let with_changes = self.changed(before, after, |_| "restored").pop();
        with_changes.unwrap_or_else(|| self.happened(after, "restored"))
    }

    /// The events of a change: one per verb of the changed fields, and one `.updated` for the fields without a verb.
    pub(crate) fn updated<R: EventSource>(&self, before: &R, after: &R) -> Vec<Event> {
        self.changed(before, after, |field| after.verb_of(before, field).unwrap_or(UPDATED))
    }

    /// The events of a change, one per verb of the changed fields.
    fn changed<R: EventSource>(&self, before: &R, after: &R, verb_of: impl Fn(&str) -> &'static str) -> Vec<Event> {
        let (old, new) = (as_json(before), as_json(after));
        let mut by_verb: Vec<(&'static str, Map<String, Json>)> = Vec::new();
        for (field, to) in new.as_object().into_iter().flatten() {
            let from = &old[field.as_str()];
            if from == to || BOOKKEEPING.contains(&field.as_str()) {
                continue;
            }
            let verb = verb_of(field);
            match by_verb.iter_mut().find(|(other, _)| *other == verb) {
                Some((_, changes)) => changes.extend(changes_of(field, from, to)),
                None => by_verb.push((verb, changes_of(field, from, to))),
            }
        }
        // The former scope receives the event of the move, but not the events of other verbs that the same change causes.
        let former_scope = before.scope().filter(|scope| after.scope() != Some(*scope));
        let event = |(verb, changes): &(&'static str, Map<String, Json>)| Event {
            former_scope: former_scope.filter(|_| *verb == UPDATED),
            ..self.event(after, verb, &new, changes)
        };
        by_verb.iter().map(event).collect()
    }

    fn event(
        &self,
        record: &impl EventSource,
        verb: &str,
        data: &impl Serialize,
        changes: &Map<String, Json>,
    ) -> Event {
        let kind = record.kind();
        let (module, name) = (kind.events().module, format!("{kind}.{verb}"));
        debug_assert!(module.events().contains(&name.as_str()), "{name} is not declared by its kind");
        Event {
            module,
            name,
            scope: record.scope(),
            former_scope: None,
            record: Some(EventRecord { noun: kind.as_str(), id: record.record_id() }),
            version: record.version(),
            is_internal: record.is_internal(),
            by: self.by.clone(),
            payload: Payload { actor: &self.actor, changes, data: Some(data) }.to_text(),
            at: self.at.max(record.updated_at()),
        }
    }
}

/// The changes of a field: one entry, or one per custom field.
fn changes_of(field: &str, from: &Json, to: &Json) -> Map<String, Json> {
    let change = |from: &Json, to: &Json| json!({ "from": from, "to": to });
    match (from, to) {
        (Json::Object(from), Json::Object(to)) if field == CUSTOM_FIELDS => {
            changed_custom_fields(from, to).map(|(name, from, to)| (name, change(from, to))).collect()
        }
        _ => Map::from_iter([(field.to_owned(), change(from, to))]),
    }
}

/// The payload of an event, written without a copy of the record.
#[derive(Serialize)]
struct Payload<'a, D> {
    actor: &'a Json,
    changes: &'a Map<String, Json>,
    data: Option<&'a D>,
}

impl<D: Serialize> Payload<'_, D> {
    fn to_text(&self) -> String {
        let text = serde_json::to_string(self);
        text.or_else(|_| serde_json::to_string(&Self { data: None, ..*self })).unwrap_or_default()
    }
}

/// Records always serialize; if one does not, the event has null.
fn as_json(record: &impl Serialize) -> Json {
    serde_json::to_value(record).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::access::Actor;

    #[derive(Serialize, Clone)]
    struct Thing {
        id: u8,
        status: &'static str,
        assignee: Option<u8>,
        name: &'static str,
        closed_at: Option<u8>,
        project: Option<u128>,
        custom_fields: Map<String, Json>,
        version: u8,
    }

    impl EventSource for Thing {
        fn kind(&self) -> RecordKind {
            RecordKind::Task
        }

        fn record_id(&self) -> Uuid {
            Uuid::from_u128(self.id.into())
        }

        fn scope(&self) -> Option<Uuid> {
            self.project.map(Uuid::from_u128)
        }

        fn version(&self) -> Option<i64> {
            Some(self.version.into())
        }

        fn updated_at(&self) -> OffsetDateTime {
            OffsetDateTime::UNIX_EPOCH
        }

        fn verb_of(&self, _: &Self, field: &str) -> Option<&'static str> {
            match field {
                "status" | "closed_at" => Some("status_changed"),
                "assignee" => Some("assigned"),
                _ => None,
            }
        }
    }

    fn builder() -> EventBuilder {
        EventBuilder::new(&Principal::named(Actor::SYSTEM, "x", None), OffsetDateTime::UNIX_EPOCH)
    }

    fn events(after: &Thing) -> Vec<(String, Json)> {
        let events = builder().updated(&before(), after);
        events
            .into_iter()
            .map(|event| (event.name, serde_json::from_str::<Json>(&event.payload).unwrap()["changes"].clone()))
            .collect()
    }

    fn before() -> Thing {
        Thing {
            id: 1,
            status: "todo",
            assignee: None,
            name: "n",
            closed_at: None,
            project: None,
            custom_fields: Map::new(),
            version: 1,
        }
    }

    #[test]
    fn the_former_scope_receives_the_move_but_no_other_change() {
        for (from, to, is_sent) in
            [(Some(1), Some(2), true), (Some(1), None, true), (None, Some(2), false), (Some(1), Some(1), false)]
        {
            let stored = Thing { project: from, ..before() };
            let moved = Thing { project: to, status: "done", name: "m", ..before() };
            for event in builder().updated(&stored, &moved) {
                let former = if event.name == "task.updated" && is_sent { from } else { None };
                assert_eq!(event.scope, to.map(Uuid::from_u128), "{from:?} -> {to:?}");
                assert_eq!(event.former_scope, former.map(Uuid::from_u128), "{}: {from:?} -> {to:?}", event.name);
            }
        }
    }

    #[test]
    fn each_verb_has_its_event_and_all_other_changes_share_one() {
        let from_to = |from: Json, to: Json| json!({ "from": from, "to": to });
        assert_eq!(events(&Thing { version: 2, ..before() }), []);
        let status = Thing { status: "done", closed_at: Some(5), version: 2, ..before() };
        let changes =
            json!({"status": from_to(json!("todo"), json!("done")), "closed_at": from_to(json!(null), json!(5))});
        assert_eq!(events(&status), [("task.status_changed".to_owned(), changes)]);
        let all = Thing { assignee: Some(7), name: "m", ..status };
        let names: Vec<_> = events(&all).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), 3);
        for name in ["task.assigned", "task.updated", "task.status_changed"] {
            assert!(names.iter().any(|other| other == name), "{names:?}");
        }
        let updated = events(&all).into_iter().find(|(name, _)| name == "task.updated").unwrap().1;
        assert_eq!(updated, json!({"name": from_to(json!("n"), json!("m"))}));
    }

    #[test]
    fn a_cascade_and_a_cause_are_part_of_the_payload() {
        let event = builder().happened(&before(), "deleted");
        let payload: Json =
            serde_json::from_str(&event.with_cascade(Some(Cascade { tasks: 3, cycles: 1 })).payload).unwrap();
        assert_eq!(payload["cascade"], json!({"tasks": 3, "cycles": 1}));
        assert_eq!((&payload["data"]["id"], payload["actor"].is_object()), (&json!(1), true));
        let cause = EventCause { event: "project.deleted".to_owned(), id: Uuid::nil() };
        let event = builder().happened(&before(), "deleted");
        let payload: Json = serde_json::from_str(&event.with_cause(Some(&cause)).payload).unwrap();
        assert_eq!(payload["cause"], json!({"event": "project.deleted", "id": Uuid::nil()}));
    }

    #[test]
    fn changed_custom_fields_are_listed_one_by_one() {
        let fields = |json: Json| json.as_object().cloned().unwrap();
        let stored = Thing { custom_fields: fields(json!({"a": 1, "b": {"c": [2]}, "d": null, "e.f": 5})), ..before() };
        let after =
            Thing { custom_fields: fields(json!({"b": {"c": [3]}, "e.f": 5, "g": "x"})), name: "m", ..before() };
        let changed = builder().updated(&stored, &after);
        assert_eq!(changed.len(), 1);
        let expected = json!({
            "custom_fields.a": {"from": 1, "to": null},
            "custom_fields.b": {"from": {"c": [2]}, "to": {"c": [3]}},
            // `d` was null already, and a removed custom field counts as null.
            "custom_fields.g": {"from": null, "to": "x"},
            "name": {"from": "n", "to": "m"},
        });
        assert_eq!(serde_json::from_str::<Json>(&changed[0].payload).unwrap()["changes"], expected);
    }
}
