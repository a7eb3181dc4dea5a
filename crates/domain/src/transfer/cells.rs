//! Cells of a file and the JSON of requests and responses.

use serde_json::{Number, Value as Json};
use time::{Date, Month};

use crate::kernel::input::{SchemaMember, parse_date};

/// Between the items of a list, unless the file is of a system that writes another sign.
pub(super) const SEPARATOR: char = ';';
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// How a file writes what is not text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Notation {
    /// Between the items of a list.
    pub(super) separator: char,
    /// Whether fractions may begin with a comma, as where semicolons stand between cells.
    pub(super) has_decimal_commas: bool,
}

/// The value of a cell that is not empty. What it may be is decided when the row is read as a request.
///
/// # Errors
/// What would be right, for a cell that cannot be a value of the member's type.
pub(super) fn value_of(member: &SchemaMember, cell: &str, notation: Notation) -> Result<Json, String> {
    let trimmed = cell.trim();
    match member.schema["type"].as_str().unwrap_or_default() {
        "integer" | "number" if notation.has_decimal_commas && trimmed.contains(',') => {
            number_with_decimal_comma(trimmed).map(Json::Number)
        }
        "integer" | "number" => {
            number_of(trimmed).map(Json::Number).ok_or("must be a number, such as 1234.5".to_owned())
        }
        "boolean" => match trimmed.to_lowercase().as_str() {
            "true" | "yes" | "1" => Ok(true.into()),
            "false" | "no" | "0" => Ok(false.into()),
            _ => Err("must be true or false".to_owned()),
        },
        "array" => items_of(trimmed, notation.separator).map(Json::from),
        "object" => match serde_json::from_str(trimmed) {
            Ok(Json::Object(object)) => Ok(object.into()),
            _ => Err("must be a JSON object".to_owned()),
        },
        _ => Ok(text_of(member, cell).into()),
    }
}

/// A text; what is no free text is brought into the form of the interface where it can only mean one thing.
fn text_of(member: &SchemaMember, cell: &str) -> String {
    let trimmed = cell.trim();
    if let Some(Json::Array(known)) = member.schema.get("enum") {
        let folded = trimmed.to_lowercase().replace([' ', '-'], "_");
        return if known.iter().any(|value| *value == folded) { folded } else { trimmed.to_owned() };
    }
    match formats_of(&member.schema).next() {
        Some("date") => date_of(trimmed).map_or_else(|| trimmed.to_owned(), |date| date.to_string()),
        Some("date-time") => timestamp_of(trimmed).unwrap_or_else(|| trimmed.to_owned()),
        Some("uri") if is_host(trimmed) => format!("https://{trimmed}"),
        Some(_) => trimmed.to_owned(),
        None => cell.to_owned(),
    }
}

/// The formats that texts of a schema may have.
pub(super) fn formats_of(schema: &Json) -> impl Iterator<Item = &str> {
    let variants = schema.get("anyOf").and_then(Json::as_array).into_iter().flatten();
    std::iter::once(schema).chain(variants).filter_map(|schema| schema.get("format")?.as_str())
}

/// A number, with commas between thousands or without.
fn number_of(text: &str) -> Option<Number> {
    serde_json::from_str(&ungrouped(text)).ok()
}

/// A number without commas between thousands, or the text as it is.
fn ungrouped(text: &str) -> String {
    let (whole, _) = text.split_once('.').unwrap_or((text, ""));
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let is_grouped = groups.clone().next().is_some()
        && (1..=3).contains(&first.len())
        && groups.all(|group| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit()));
    if is_grouped { text.replace(',', "") } else { text.to_owned() }
}

/// A number of a file with semicolons between cells, which spreadsheets write where a comma begins the fraction.
fn number_with_decimal_comma(text: &str) -> Result<Number, String> {
    let wrong = || "must be a number, such as 1234,5".to_owned();
    let (whole, fraction) = text.rsplit_once(',').ok_or_else(wrong)?;
    if whole.contains(',') {
        return number_of(text).ok_or_else(wrong);
    }
    let is_one_group = fraction.len() == 3 && (1..=3).contains(&whole.len()) && !whole.contains('.');
    if is_one_group {
        return Err(format!("{text} is ambiguous: write {whole}{fraction} or {whole}.{fraction}"));
    }
    // With points between thousands.
    let whole = ungrouped(&whole.replace('.', ","));
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let number = if is_fraction { serde_json::from_str(&format!("{whole}.{fraction}")).ok() } else { None };
    number.or_else(|| number_of(text)).ok_or_else(wrong)
}

/// Whether a text is an address without its scheme, such as `example.com/shop`.
fn is_host(text: &str) -> bool {
    let host = text.split(['/', '?']).next().unwrap_or_default();
    let is_part = |part: &str| !part.is_empty() && part.chars().all(|sign| sign.is_alphanumeric() || sign == '-');
    host.contains('.') && host.split('.').all(is_part)
}

/// The items of a list: a JSON array of texts, or texts with the separator between them.
fn items_of(text: &str, separator: char) -> Result<Vec<String>, String> {
    if text.starts_with('[') {
        return serde_json::from_str(text)
            .map_err(|_| format!("must be values separated by {separator:?}, or a JSON array of strings"));
    }
    Ok(text.split(separator).map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect())
}

/// The date that a text begins with: `2026-07-01`, or `01/Jul/26` with the name of the month.
fn date_of(text: &str) -> Option<Date> {
    let date = text.split([' ', 'T']).next()?;
    parse_date(date).or_else(|| {
        let mut parts = date.split('/');
        let (day, month, year) = (parts.next()?, parts.next()?.to_lowercase(), parts.next()?);
        let place = MONTHS.iter().position(|name| *name == month)?;
        let year: i32 = year.parse().ok().filter(|_| parts.next().is_none())?;
        let year = if year < 100 { 2000 + year } else { year };
        Date::from_calendar_date(year, Month::try_from(u8::try_from(place + 1).ok()?).ok()?, day.parse().ok()?).ok()
    })
}

/// A timestamp in the form of the interface. One without a zone is in UTC; of a date with the name of a month, the day counts.
fn timestamp_of(text: &str) -> Option<String> {
    let date = date_of(text)?;
    let Some((_, time)) = text.split_once([' ', 'T']).filter(|(day, _)| parse_date(day).is_some()) else {
        return Some(format!("{date}T00:00:00Z"));
    };
    let time = time.trim();
    let (clock, zone) = match time.find(['Z', 'z', '+', '-', ' ']) {
        Some(place) => (&time[..place], time[place..].trim().replace("UTC", "Z")),
        None => (time, "Z".to_owned()),
    };
    let clock = if clock.len() == 5 { format!("{clock}:00") } else { clock.to_owned() };
    let zone = match zone.split_at_checked(3) {
        // +0200
        Some((hours, minutes)) if minutes.len() == 2 => format!("{hours}:{minutes}"),
        _ => zone,
    };
    Some(format!("{date}T{clock}{zone}"))
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

/// Texts with semicolons between them where that can be read again, else JSON.
fn list_cell(items: &[Json]) -> String {
    let texts: Option<Vec<_>> = items.iter().map(Json::as_str).collect();
    let is_plain = |text: &&str| text.trim() == *text && !text.is_empty() && !text.contains(SEPARATOR);
    match texts {
        Some(texts) if texts.iter().all(is_plain) && !texts.first().is_some_and(|first| first.starts_with('[')) => {
            texts.join("; ")
        }
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

    /// With commas between cells.
    const PLAIN: Notation = Notation { separator: SEPARATOR, has_decimal_commas: false };

    #[test]
    fn commas_begin_fractions_where_semicolons_stand_between_cells() {
        let number = member(json!({ "type": "number" }));
        let notation = Notation { has_decimal_commas: true, ..PLAIN };
        for (cell, value) in [
            ("12,5", json!(12.5)),
            ("12,50", json!(12.5)),
            ("1.234,50", json!(1234.5)),
            ("1.234.567,5", json!(1_234_567.5)),
            ("-0,75", json!(-0.75)),
            ("1,234.5", json!(1234.5)),
            ("1,234,567", json!(1_234_567)),
            ("12.5", json!(12.5)),
            ("12", json!(12)),
        ] {
            assert_eq!(value_of(&number, cell, notation), Ok(value), "{cell}");
        }
        let ambiguous = value_of(&number, "12,500", notation).unwrap_err();
        assert_eq!(ambiguous, "12,500 is ambiguous: write 12500 or 12.500");
        for cell in ["12,", ",5", "1.23,5", "1,2,3", "a,b"] {
            assert!(value_of(&number, cell, notation).is_err(), "{cell}");
        }
    }

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
            (&date, "2026-07-01 12:30", json!("2026-07-01")),
            (&date, "01/Jul/26 12:00 AM", json!("2026-07-01")),
            (&date, "soon", json!("soon")),
            (&time, "2026-07-01", json!("2026-07-01T00:00:00Z")),
            (&time, "2026-07-01 12:30", json!("2026-07-01T12:30:00Z")),
            (&time, "2026-07-01T12:30:01.5+02:00", json!("2026-07-01T12:30:01.5+02:00")),
            (&time, "2026-07-01 12:30:01 +0200", json!("2026-07-01T12:30:01+02:00")),
            (&time, "2026-07-01 12:30:01 UTC", json!("2026-07-01T12:30:01Z")),
            (&time, "1/Jul/2026 9:00 AM", json!("2026-07-01T00:00:00Z")),
            (&text, " as it is ", json!(" as it is ")),
            (&json!({ "type": "boolean" }), "Yes", json!(true)),
            (&json!({ "type": "array" }), "a; b ;;c", json!(["a", "b", "c"])),
            (&json!({ "type": "array" }), "[\"a;b\"]", json!(["a;b"])),
            (&json!({ "type": "object" }), "{\"a\":1}", json!({ "a": 1 })),
        ] {
            assert_eq!(value_of(&member(schema.clone()), cell, PLAIN), Ok(value), "{cell}");
        }
        for (schema, cell) in [
            (&number, "1,2"),
            (&number, "1,23,456"),
            (&number, "12 EUR"),
            (&number, "\"1\""),
            (&json!({ "type": "boolean" }), "perhaps"),
            (&json!({ "type": "array" }), "[1]"),
            (&json!({ "type": "object" }), "[1]"),
        ] {
            assert!(value_of(&member(schema.clone()), cell, PLAIN).is_err(), "{cell}");
        }
    }

    proptest! {
        #[test]
        fn lists_come_back_as_they_were(items in proptest::collection::vec("[a;\\[ \"é]{1,4}", 0..4)) {
            let cell = list_cell(&items.iter().map(|item| json!(item)).collect::<Vec<_>>());
            let read = if cell.is_empty() { vec![] } else { items_of(cell.trim(), SEPARATOR).unwrap() };
            prop_assert_eq!(read, items);
        }

        #[test]
        fn no_cell_is_too_odd_to_read(cell in "\\PC{0,30}|[0-9/TZ+: -]{0,25}") {
            for schema in [json!({ "type": "string", "format": "date-time" }), json!({ "type": "number" })] {
                let _ = value_of(&member(schema), &cell, PLAIN);
            }
        }
    }
}
