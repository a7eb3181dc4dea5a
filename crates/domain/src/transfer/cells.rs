//! Converts between cells of a file and the JSON of requests and responses.

use serde_json::Value as Json;

use super::numbers::{DecimalSign, number_of};
use super::presets::Preset;
use super::targets::Mapping;
use super::times::{date_of, day_of, timestamp_of};
use crate::kernel::input::{SchemaMember, format_timestamp, json, one_line};
use crate::work::time_entries::DurationText;

/// The separator between the items of a list, unless the file is from a system that uses another one.
const SEPARATOR: char = ';';

/// How a file writes lists, numbers and dates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Notation {
    /// The separator between the items of a list.
    pub(super) separator: char,
    /// `None` if the file does not show which decimal separator it uses.
    pub(super) decimal: Option<DecimalSign>,
    /// Whether a known system wrote the file: its separator is known, and the times of its dates have no meaning.
    pub(super) is_of_system: bool,
}

impl Notation {
    pub(super) fn of(mapping: &Mapping) -> Self {
        let by_separator = (!mapping.has_other_separator).then_some(DecimalSign::Point);
        Self {
            separator: mapping.preset.map_or(SEPARATOR, Preset::separator),
            decimal: mapping.decimal.or(by_separator),
            is_of_system: mapping.preset.is_some(),
        }
    }

    /// The notation of values that the operator writes, without a spreadsheet.
    pub(super) const fn of_operator(self) -> Self {
        Self { decimal: Some(DecimalSign::Point), ..self }
    }
}

/// The value of a cell that is not empty. Its rules are checked when the row is read like a request.
///
/// # Errors
/// How to write a value of the member's type, for a cell that is invalid or ambiguous.
pub(super) fn value_of(member: &SchemaMember, cell: &str, notation: Notation) -> Result<Json, String> {
    let trimmed = &*one_line(cell);
    match member.schema["type"].as_str().unwrap_or_default() {
        "integer" if member.name == "seconds" => seconds_of(trimmed, notation),
        "integer" | "number" => number_of(trimmed, notation.decimal).map(Json::Number),
        "boolean" => bool_of(trimmed).map(Json::from),
        "array" => items_of(trimmed, notation).map(Json::from),
        "object" => json::parse_object(trimmed.as_bytes())
            .map(Json::from)
            .map_err(|_| "must be a JSON object whose members have different names".to_owned()),
        _ => text_of(member, cell, trimmed, notation).map(Json::from),
    }
}

/// A number of seconds, or a duration such as `1:30`.
fn seconds_of(text: &str, notation: Notation) -> Result<Json, String> {
    if text.contains([':', 'h', 'm', 's', 'H', 'M', 'S']) {
        let duration = DurationText::parse(text).map(|duration| duration.seconds().into());
        return duration.ok_or_else(|| "must be a duration of up to 24 hours, such as 1:30 or 1h30".to_owned());
    }
    number_of(text, notation.decimal).map(Json::Number)
}

/// The boolean that a text such as `yes` stands for.
///
/// # Errors
/// For any other text.
pub(super) fn bool_of(text: &str) -> Result<bool, String> {
    match text.trim().to_lowercase().as_str() {
        "true" | "yes" | "1" => Ok(true),
        "false" | "no" | "0" => Ok(false),
        _ => Err("must be true or false".to_owned()),
    }
}

/// A text. Anything but free text is brought into the form of the interface, if its meaning is clear.
fn text_of(member: &SchemaMember, cell: &str, trimmed: &str, notation: Notation) -> Result<String, String> {
    if let Some(Json::Array(known)) = member.schema.get("enum") {
        let folded = trimmed.to_lowercase().replace([' ', '-'], "_");
        return Ok(if known.iter().any(|value| *value == folded) { folded } else { trimmed.to_owned() });
    }
    Ok(match formats_of(&member.schema).next() {
        Some("date") if notation.is_of_system => day_of(trimmed)?.to_string(),
        Some("date") => date_of(trimmed)?.to_string(),
        Some("date-time") => format_timestamp(timestamp_of(trimmed)?),
        Some("uri") if is_host(trimmed) => format!("https://{trimmed}"),
        Some(_) => trimmed.to_owned(),
        None => cell.to_owned(),
    })
}

/// The formats that texts of a schema may have.
pub(super) fn formats_of(schema: &Json) -> impl Iterator<Item = &str> {
    let variants = schema.get("anyOf").and_then(Json::as_array).into_iter().flatten();
    std::iter::once(schema).chain(variants).filter_map(|schema| schema.get("format")?.as_str())
}

/// Whether a text is an address without its scheme, such as `example.com/shop`.
fn is_host(text: &str) -> bool {
    let host = text.split(['/', '?']).next().unwrap_or_default();
    let is_part = |part: &str| !part.is_empty() && part.chars().all(|letter| letter.is_alphanumeric() || letter == '-');
    host.contains('.') && host.split('.').all(is_part)
}

/// The items of a list: a JSON array of texts, or texts with the separator between them. A text in brackets that is not JSON,
/// such as `[bug] fix`, stays a text.
fn items_of(text: &str, notation: Notation) -> Result<Vec<String>, String> {
    let Notation { separator, is_of_system, .. } = notation;
    if let Some(rest) = text.strip_prefix('[')
        && (rest.trim_start().starts_with(['"', '\'']) || serde_json::from_str::<Json>(text).is_ok())
    {
        return serde_json::from_str(text)
            .map_err(|_| format!("must be values separated by {separator:?}, or a JSON array of strings"));
    }
    let items = |separator| text.split(separator).map(str::trim).filter(|item| !item.is_empty());
    if !is_of_system && text.contains(',') && !text.contains(separator) {
        let several = items(',').collect::<Vec<_>>().join("; ");
        return Err(format!("{text:?} is ambiguous: write {several:?} for several values, or \"{text};\" for one"));
    }
    Ok(items(separator).map(str::to_owned).collect())
}

/// The cell of a value in the JSON of a record.
pub(super) fn cell_of(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        Json::Array(items) => list_cell(items),
        Json::Object(object) if object.is_empty() => String::new(),
        other => other.to_string(),
    }
}

/// The texts separated by semicolons if they can be read back that way, otherwise JSON. A comma in a single text would be
/// ambiguous.
fn list_cell(items: &[Json]) -> String {
    let texts: Option<Vec<_>> = items.iter().map(Json::as_str).collect();
    let is_plain = |text: &&str| text.trim() == *text && !text.is_empty() && !text.contains(SEPARATOR);
    let is_unlike_others = |texts: &[&str]| match texts {
        [first, rest @ ..] => first.starts_with('[') || (rest.is_empty() && first.contains(',')),
        [] => false,
    };
    match texts {
        Some(texts) if texts.iter().all(is_plain) && !is_unlike_others(&texts) => texts.join("; "),
        _ => Json::from(items.to_vec()).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn member(schema: Json) -> SchemaMember {
        SchemaMember::optional("m", schema)
    }

    /// The notation of a file with commas between cells.
    const PLAIN: Notation = Notation { separator: SEPARATOR, decimal: Some(DecimalSign::Point), is_of_system: false };

    #[test]
    fn addresses_get_their_scheme() {
        let address = member(json!({ "type": "string", "format": "uri" }));
        for (cell, value) in [
            ("lantern.example", "https://lantern.example"),
            ("www.lantern.example/shop?a=b", "https://www.lantern.example/shop?a=b"),
            ("http://lantern.example", "http://lantern.example"),
            ("mailto:a@lantern.example", "mailto:a@lantern.example"),
            ("a@lantern.example", "a@lantern.example"),
            ("our site", "our site"),
        ] {
            assert_eq!(value_of(&address, cell, PLAIN), Ok(json!(value)));
        }
    }

    #[test]
    fn cells_become_values_of_their_member() {
        let number = json!({ "type": "number" });
        let choice = json!({ "type": "string", "enum": ["closed_won", "open"] });
        let date = json!({ "type": "string", "format": "date" });
        let time = json!({ "type": "string", "format": "date-time" });
        let text = json!({ "type": "string", "maxLength": 9 });
        for (schema, cell, value) in [
            (&number, " 1,234,567.5 ", json!(1_234_567.5)),
            (&number, "12", json!(12)),
            (&choice, "Closed Won", json!("closed_won")),
            (&choice, "Elsewhere", json!("Elsewhere")),
            (&date, " 2026-07-01 00:00 ", json!("2026-07-01")),
            (&date, "01/Jul/26 12:00 AM", json!("2026-07-01")),
            (&time, "1/Jul/2026 9:00 PM", json!("2026-07-01T21:00:00.000000Z")),
            (&text, " as it is ", json!(" as it is ")),
            (&json!({ "type": "boolean" }), "Yes", json!(true)),
            (&json!({ "type": "array" }), "a; b ;;c", json!(["a", "b", "c"])),
            (&json!({ "type": "array" }), "[\"a;b\"]", json!(["a;b"])),
            (&json!({ "type": "array" }), "[]", json!([])),
            (&json!({ "type": "array" }), "[bug] fix; b", json!(["[bug] fix", "b"])),
            (&json!({ "type": "array" }), "Paris, France; Rome, Italy", json!(["Paris, France", "Rome, Italy"])),
            (&json!({ "type": "array" }), "Paris, France;", json!(["Paris, France"])),
            (&json!({ "type": "object" }), "{\"a\":1}", json!({ "a": 1 })),
        ] {
            assert_eq!(value_of(&member(schema.clone()), cell, PLAIN), Ok(value), "{cell}");
        }
        for (schema, cell) in [
            (&number, "1,2"),
            (&number, "12 EUR"),
            (&number, "\"1\""),
            (&number, "12,5"),
            (&number, "1e309"),
            (&date, "2026-07-01 12:30"),
            (&date, "soon"),
            (&time, "2026-07-01 noon"),
            (&json!({ "type": "boolean" }), "perhaps"),
            (&json!({ "type": "array" }), "[1]"),
            (&json!({ "type": "array" }), "[\"a\", \"b\""),
            (&json!({ "type": "array" }), "['a', 'b']"),
            (&json!({ "type": "object" }), r#"{"a":1,"a":2}"#),
            (&json!({ "type": "object" }), "[1]"),
        ] {
            assert!(value_of(&member(schema.clone()), cell, PLAIN).is_err(), "{cell}");
        }
    }

    #[test]
    fn comma_separated_lists_are_refused_unless_the_system_is_known() {
        let tags = member(json!({ "type": "array" }));
        let message = value_of(&tags, "Bug, UI", PLAIN).unwrap_err();
        assert_eq!(message, r#""Bug, UI" is ambiguous: write "Bug; UI" for several values, or "Bug, UI;" for one"#);
        for (separator, value) in [(';', json!(["Bug, UI"])), (',', json!(["Bug", "UI"]))] {
            let notation = Notation { separator, is_of_system: true, ..PLAIN };
            assert_eq!(value_of(&tags, "Bug, UI", notation), Ok(value), "{separator}");
        }
        let date = member(json!({ "type": "string", "format": "date" }));
        let notation = Notation { is_of_system: true, ..PLAIN };
        assert_eq!(value_of(&date, "2026-07-01 12:30", notation), Ok(json!("2026-07-01")));
        assert!(value_of(&date, "2026-07-01 noon", notation).is_err());
    }

    proptest! {
        #[test]
        fn lists_survive_a_round_trip(items in proptest::collection::vec("[a;,\\[ \"é]{1,4}", 0..4)) {
            let cell = list_cell(&items.iter().map(|item| json!(item)).collect::<Vec<_>>());
            let read = if cell.is_empty() { vec![] } else { items_of(cell.trim(), PLAIN).unwrap() };
            prop_assert_eq!(read, items);
        }
    }
}
