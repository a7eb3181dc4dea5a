//! Lenient forms of tool arguments, for what models and their clients tend to write: a single value for a list, a list as JSON
//! text, and a date for a timestamp. A date means its first moment, or its end if the member is a due time. REST bodies and queries
//! do not accept these forms.
//!
//! This module has both the parsing and the schemas of these forms.

use serde_json::{Map, Value as Json, json};
use time::macros::time;
use time::{OffsetDateTime, Time};

use super::{Problems, json, parse_date};

const LAST_SECOND: Time = time!(23:59:59);

/// The items of a list. A text that is a JSON array is read as that list, and any other single value as a list of one. Anything
/// else is reported.
pub(crate) fn items_of(json: Json, at: &str, expected: &str, problems: &mut Problems) -> Option<Vec<Json>> {
    match parse_list_text(json, problems) {
        Json::Array(items) => Some(items),
        json @ (Json::String(_) | Json::Number(_) | Json::Bool(_)) if problems.is_lenient() => Some(vec![json]),
        _ => {
            problems.shape(at, "invalid_type", expected);
            None
        }
    }
}

/// Converts a text that is a JSON array, if tool arguments are being read; other values stay unchanged.
pub(crate) fn parse_list_text(json: Json, problems: &Problems) -> Json {
    json.as_str().filter(|_| problems.is_lenient()).and_then(array_of).unwrap_or(json)
}

/// Parses a text as a JSON array; `None` for any other text.
pub fn array_of(text: &str) -> Option<Json> {
    let is_array = text.trim_start().starts_with('[');
    is_array.then(|| json::parse(text.as_bytes()).ok()).flatten().filter(Json::is_array)
}

/// The first moment of a date in UTC.
pub(super) fn start_of(date: &str) -> Option<OffsetDateTime> {
    parse_date(date).map(|date| date.midnight().assume_utc())
}

/// The last second of a date in UTC.
pub(super) fn end_of(date: &str) -> Option<OffsetDateTime> {
    parse_date(date).map(|date| date.with_time(LAST_SECOND).assume_utc())
}

/// Adds the lenient forms of a value to its schema, but not to the schemas within it.
pub fn accept_leniently(keywords: &mut Map<String, Json>) {
    let types = types_of(keywords.get("type"));
    if types.first().is_some_and(|first| first == "string") && keywords.get("format") == Some(&json!("date-time")) {
        keywords.remove("format");
        keywords.insert("anyOf".to_owned(), json!([{ "format": "date-time" }, { "format": "date" }]));
    }
    if types.first().is_some_and(|first| first == "array")
        && let Some(of_items) = keywords.get("items").and_then(scalar_type)
    {
        let mut all = types;
        all.insert(1, of_items);
        keywords.insert("type".to_owned(), all.into());
    }
}

fn types_of(keyword: Option<&Json>) -> Vec<String> {
    match keyword {
        Some(Json::String(only)) => vec![only.clone()],
        Some(Json::Array(all)) => all.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// The type of a schema whose values are scalars; with several variants, the type of the first.
fn scalar_type(schema: &Json) -> Option<String> {
    let first_type = types_of(schema.get("type")).into_iter().next();
    let of_variant = || schema.get("anyOf")?.get(0).and_then(scalar_type);
    first_type.or_else(of_variant).filter(|name| !matches!(name.as_str(), "object" | "array"))
}

#[cfg(test)]
mod tests {
    use super::super::{DueTime, Items, Read, Several, Value};
    use super::*;
    use proptest::prelude::*;

    fn lenient() -> Problems {
        Problems::default().leniently()
    }

    fn read<T: Value>(json: Json, mut problems: Problems) -> Option<T> {
        match T::read(json, "f", &mut problems) {
            Read::Value(value) if problems.is_empty() => Some(value),
            _ => None,
        }
    }

    #[test]
    fn only_tools_read_a_single_value_as_a_list_of_one() {
        type Tags = Items<2, 3>;
        type Flags = Several<bool, 2>;
        assert_eq!(read::<Tags>(json!("a"), lenient()), read(json!(["a"]), Problems::default()));
        assert_eq!(read::<Flags>(json!(true), lenient()), Some(vec![true].into()));
        for (json, is_for_tools) in
            [(json!("a"), true), (json!("long"), false), (json!({}), false), (json!([["a"]]), false)]
        {
            assert_eq!(read::<Tags>(json.clone(), lenient()).is_some(), is_for_tools, "{json}");
            assert_eq!(read::<Tags>(json.clone(), Problems::default()), None, "{json}");
        }
    }

    #[test]
    fn only_tools_read_a_json_array_in_a_text_as_a_list() {
        type Tags = Items<2, 9>;
        for (text, list) in [
            (r#"["x","y"]"#, json!(["x", "y"])),
            (" [ \"x\" ]\n", json!(["x"])),
            ("[]", json!([])),
            // Each item stays a separate text.
            (r#"["[\"x\"]"]"#, json!(["[\"x\"]"])),
            // Not a JSON array, so it is a single item.
            ("null", json!(["null"])),
            ("[bug] fix", json!(["[bug] fix"])),
            ("[a]", json!(["[a]"])),
            ("[\"x\"", json!(["[\"x\""])),
            ("{\"a\":1}", json!(["{\"a\":1}"])),
            ("\"x\"", json!(["\"x\""])),
        ] {
            assert_eq!(read::<Tags>(json!(text), lenient()), read(list, Problems::default()), "{text}");
            assert_eq!(read::<Tags>(json!(text), Problems::default()), None, "{text}");
        }
        assert_eq!(read::<Several<bool, 2>>(json!("[true, false]"), lenient()), Some(vec![true, false].into()));
        // Refused in the same way as the list.
        for refused in ["[1]", "[[\"x\"]]", r#"["a","b","c"]"#] {
            assert_eq!(read::<Tags>(json!(refused), lenient()), None, "{refused}");
        }
    }

    #[test]
    fn only_tools_read_a_date_as_its_first_moment_in_utc() {
        let parse = |text: &str, problems| read::<OffsetDateTime>(json!(text), problems);
        let midnight = parse("2030-01-31T00:00:00Z", Problems::default());
        assert!(midnight.is_some());
        assert_eq!(parse("2030-01-31", lenient()), midnight);
        assert_eq!(parse("2030-01-31", Problems::default()), None);
        for neither in ["2030-02-30", "2030-01", "2030-01-31T00:00", "30-01-31", "today"] {
            assert_eq!(parse(neither, lenient()), None, "{neither}");
        }
    }

    #[test]
    fn only_tools_read_a_due_date_as_the_end_of_that_day() {
        let parse = |text: &str, problems| read::<DueTime>(json!(text), problems).map(OffsetDateTime::from);
        let end = parse("2030-01-31T23:59:59Z", Problems::default());
        assert!(end.is_some());
        assert_eq!((parse("2030-01-31", lenient()), parse("2030-01-31", Problems::default())), (end, None));
        let time = "2030-01-31T00:00:00Z";
        assert_eq!(parse(time, lenient()), parse(time, Problems::default()), "a time is read as it is");
    }

    #[test]
    fn the_error_of_a_tool_mentions_that_dates_are_accepted() {
        for (mut problems, says_date) in [(Problems::default(), false), (lenient(), true)] {
            let _ = OffsetDateTime::read(json!("next monday"), "f", &mut problems);
            let Err(error) = problems.into_result() else { panic!() };
            let message = error.details().remove(0).message;
            assert_eq!(message.ends_with(", or a date such as 2030-01-31"), says_date, "{message}");
        }
    }

    proptest! {
        /// Whatever a body accepts, arguments accept too, with the same meaning.
        #[test]
        fn arguments_accept_whatever_bodies_accept(text in "[0-9]{4}-[01][0-9]-[0-3][0-9](T[0-2][0-9]:[0-5][0-9]:00(Z|\\+02:00))?|.{0,12}") {
            prop_assume!(!text.trim_start().starts_with('['));
                let strict = read::<OffsetDateTime>(json!(text), Problems::default());
            let lenient_time = read::<OffsetDateTime>(json!(text), lenient());
            prop_assert_eq!(lenient_time, strict.or(start_of(&text)));
            let list = read::<Items<2, 9>>(json!([text]), Problems::default());
            prop_assert_eq!(&read::<Items<2, 9>>(json!([text]), lenient()), &list);
            prop_assert_eq!(read::<Items<2, 9>>(json!(text), lenient()), list);
        }
    }

    #[test]
    fn schemas_include_the_lenient_forms() {
        let lenient_schema = |mut schema: Json| {
            accept_leniently(schema.as_object_mut().unwrap());
            schema
        };
        let either = json!([{ "format": "date-time" }, { "format": "date" }]);
        assert_eq!(lenient_schema(OffsetDateTime::schema()), json!({ "type": "string", "anyOf": either }));
        let nullable = json!({ "type": ["string", "null"], "format": "date-time" });
        assert_eq!(lenient_schema(nullable), json!({ "type": ["string", "null"], "anyOf": either }));
        assert_eq!(lenient_schema(<Items<2, 3>>::schema())["type"], json!(["array", "string"]));
        assert_eq!(lenient_schema(<Several<bool, 2>>::schema())["type"], json!(["array", "boolean"]));
        let variants =
            json!({ "type": ["array", "null"], "items": { "anyOf": [{ "type": "string" }, { "enum": [1] }] } });
        assert_eq!(lenient_schema(variants)["type"], json!(["array", "string", "null"]));
        for same in [json!({ "type": "array", "items": { "type": "object" } }), json!({ "type": "string" })] {
            assert_eq!(lenient_schema(same.clone()), same);
        }
    }
}
