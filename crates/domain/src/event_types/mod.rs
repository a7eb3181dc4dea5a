//! The catalogue of events for clients: each event has a description, a JSON Schema and an example of its payload (interface 24.7).
//!
//! It is derived from the events that the kinds of records declare. Schemas come from the types of the records, and examples from the code
//! that builds the events. Events of other systems have free names and payloads, and are not listed.

mod schemas;
mod test_deliveries;

use std::collections::HashMap;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::Error;
use crate::events::{DataType, Event, EventReach, Module};
use crate::identity::access::{ListEventTypes, Permit, RecordKind};
use crate::ports::Ports;

/// An event as the catalogue shows it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EventType {
    pub module: Module,
    /// Its name.
    pub event: &'static str,
    /// What happened.
    pub description: &'static str,
    /// The JSON Schema of its payload.
    #[schemars(with = "Map<String, Json>")]
    pub schema: Json,
    /// A payload that matches it.
    #[schemars(with = "Map<String, Json>")]
    pub example: Json,
    /// The type of its payload's `data`.
    #[serde(skip)]
    pub data: DataType,
}

/// All event types, which are built once per process.
static CATALOGUE: LazyLock<Vec<EventType>> = LazyLock::new(|| {
    let mut examples = examples();
    let events = Module::ALL.iter().flat_map(|module| module.own_events());
    events
        .map(|event| EventType {
            module: event.module,
            event: &event.name,
            description: &event.description,
            schema: schemas::payload_schema(event),
            example: examples.remove(&event.name).unwrap_or_default(),
            data: schemas::data_type(event),
        })
        .collect()
});

pub use test_deliveries::{TestFields, send_test};

/// The payloads of all examples by the names of their events.
fn examples() -> HashMap<String, Json> {
    // Parsing cannot fail: the service has written the payload.
    let payload = |event: Event| (event.name, serde_json::from_str(&event.payload).unwrap_or_default());
    RecordKind::ALL.iter().flat_map(|kind| (kind.events().examples)()).map(payload).collect()
}

/// All of the service's own events, in the order of the catalogue.
pub fn catalogue() -> &'static [EventType] {
    &CATALOGUE
}

/// The service's own events that the caller may read, in the order of the catalogue.
#[expect(clippy::unused_async, reason = "surfaces await every use case")]
pub async fn list(_: &Ports, permit: &Permit<ListEventTypes>) -> Result<Vec<&'static EventType>, Error> {
    let reach = EventReach::for_permit(permit);
    Ok(CATALOGUE.iter().filter(|entry| reach.covers(entry.module, entry.event)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn events_and_examples_correspond() {
        let events: BTreeSet<_> = CATALOGUE.iter().map(|entry| entry.event.to_owned()).collect();
        let examples: BTreeSet<_> = examples().into_keys().collect();
        assert_eq!(events, examples);
        let names: Vec<_> = Module::ALL.iter().flat_map(|module| module.events()).copied().collect();
        assert_eq!(CATALOGUE.iter().map(|entry| entry.event).collect::<Vec<_>>(), names);
    }

    #[test]
    fn schemas_have_no_internal_keywords_and_name_every_member_of_their_example() {
        for entry in CATALOGUE.iter() {
            assert!(!entry.schema.to_string().contains("x-"), "{}", entry.event);
            let (data, changes) = (&entry.schema["properties"]["data"], &entry.schema["properties"]["changes"]);
            for member in entry.example["data"].as_object().unwrap().keys() {
                assert!(data["properties"].get(member).is_some(), "{}: data.{member}", entry.event);
            }
            for member in entry.example["changes"].as_object().unwrap().keys() {
                let is_named = changes["properties"].get(member).is_some();
                let is_custom = member.starts_with("custom_fields.") && changes.get("patternProperties").is_some();
                assert!(is_named || is_custom, "{}: changes.{member}", entry.event);
            }
        }
    }

    #[test]
    fn examples_have_the_members_that_only_their_event_has() {
        let mut actual = BTreeSet::new();
        for entry in CATALOGUE.iter() {
            for member in ["cascade", "cause"] {
                let is_named = entry.schema["properties"].get(member).is_some();
                assert_eq!(entry.example.get(member).is_some(), is_named, "{}: {member}", entry.event);
                actual.extend(is_named.then(|| format!("{} {member}", entry.event)));
            }
        }
        let expected = [
            "cycle.deleted cause",
            "cycle.restored cause",
            "project.deleted cascade",
            "project.restored cascade",
            "task.deleted cause",
            "task.restored cause",
        ];
        assert_eq!(actual, BTreeSet::from(expected.map(str::to_owned)));
    }

    #[test]
    fn examples_of_change_events_contain_a_change() {
        for entry in CATALOGUE.iter() {
            let is_change = entry.schema["properties"]["changes"].get("properties").is_some();
            let change_count = entry.example["changes"].as_object().unwrap().len();
            assert_eq!(change_count > 0, is_change, "{}: {}", entry.event, entry.example["changes"]);
        }
    }
}
