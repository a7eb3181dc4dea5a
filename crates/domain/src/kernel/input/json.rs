//! JSON parsing, stricter than `serde_json` alone: duplicate members are rejected instead of the last one winning.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
pub use serde_json::{Map, Value as Json};
use serde_json::{Number, Value};

use super::with_markers;

/// Parses a whole JSON document. Numbers that a float cannot hold become markers, which every type refuses.
///
/// Nesting is bounded by `serde_json` itself (128 levels).
///
/// # Errors
/// [`crate::Error::InvalidJson`] with position and reason.
pub fn parse(body: &[u8]) -> Result<Value, crate::Error> {
    let strict: Strict =
        serde_json::from_slice(&with_markers(body)).map_err(|error| crate::Error::InvalidJson(error.to_string()))?;
    Ok(strict.0)
}

/// Parses a number, such as a cell of a file; `None` for anything else.
pub fn number(text: &str) -> Option<Number> {
    match parse(text.as_bytes()) {
        Ok(Value::Number(number)) => Some(number),
        _ => None,
    }
}

/// Parses a JSON document whose top level must be an object.
///
/// # Errors
/// [`crate::Error::InvalidJson`] if it is not JSON, [`crate::Error::Malformed`] if it is not an object.
pub fn parse_object(body: &[u8]) -> Result<Map<String, Value>, crate::Error> {
    match parse(body)? {
        Value::Object(object) => Ok(object),
        _ => Err(crate::Error::malformed("", "invalid_type", "the body must be a JSON object")),
    }
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Strict(item)) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = access.next_key::<String>()? {
            let Strict(value) = access.next_value()?;
            if object.insert(name, value).is_some() {
                // The name is untrusted text; the position that serde_json adds is enough.
                return Err(de::Error::custom("an object has the same member twice"));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_what_serde_json_accepts() {
        let text = r#"{"a":[1,-2,0.5,true,null,"x"],"b":{"c":"\u00e9"}}"#;
        assert_eq!(parse(text.as_bytes()).unwrap(), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn rejects_duplicates_at_any_depth_and_broken_text() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        for text in
            [r#"{"a":1,"a":1}"#, r#"{"x":[{"a":1,"a":2}]}"#, "{", "", "1 2", "{\"a\":01e999}", "\u{feff}{}", &deep]
        {
            assert!(matches!(parse(text.as_bytes()), Err(crate::Error::InvalidJson(_))), "{text}");
        }
        assert!(parse(b"\"\xff\"").is_err());
        assert!(matches!(parse_object(b"[]"), Err(crate::Error::Malformed(_))));
    }
}
