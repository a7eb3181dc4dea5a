//! Sample values for the members of an input, derived from its schema.

use serde_json::{Map, Value as Json, json};
use time::OffsetDateTime;

use crate::events::{Event, Module};
use crate::identity::access::{Actor, Principal};
use crate::kernel::input::Input;

/// A body with a value for every member of `I`, taken from `given` where present. Members whose schema is not enough to make a
/// value are left out: enumerations, and ids of other records. `number` makes bodies differ.
///
/// # Panics
/// If `given` is not an object.
pub fn filled<I: Input>(number: u8, given: Json) -> Map<String, Json> {
    let Json::Object(mut body) = given else { panic!("{given} is not an object") };
    for member in I::members() {
        if !body.contains_key(member.name)
            && let Some(value) = sample(member.name, &member.schema, number)
        {
            body.insert(member.name.to_owned(), value);
        }
    }
    body
}

fn sample(name: &str, schema: &Json, number: u8) -> Option<Json> {
    if ["enum", "pattern", "anyOf"].iter().any(|keyword| schema.get(*keyword).is_some()) {
        return None;
    }
    let value = match (schema["type"].as_str()?, schema["format"].as_str().unwrap_or_default()) {
        // This is also a valid slug.
        ("string", "") => json!(format!("{name}-{number}")),
        ("string", "date") => json!(format!("2031-05-{number:02}")),
        ("string", "date-time") => json!(format!("2031-05-06T07:08:{number:02}.000009Z")),
        ("string", "email") => json!(format!("{name}.{number}@example.org")),
        ("string", "uri") => json!(format!("https://github.com/{name}/{number}")),
        ("integer", _) => json!(number),
        ("number", _) => json!(f64::from(number) + 0.25),
        ("boolean", _) => json!(true),
        ("array", _) => json!([name, number.to_string()]),
        ("object", _) => json!({ name: number }),
        _ => return None,
    };
    Some(value)
}

/// An event of the service itself about no record.
pub fn event(module: Module, name: &str, at: OffsetDateTime) -> Event {
    Event {
        module,
        name: name.to_owned(),
        scope: None,
        former_scope: None,
        record: None,
        version: None,
        is_internal: false,
        by: Principal::named(Actor::SYSTEM, "service", None),
        payload: "{}".to_owned(),
        at,
    }
}
