//! Lists of values and free-form objects.

use serde_json::{Map, Value as Json, json};

use super::leniency::items_of;
use super::schema::text_schema;
use super::{Line, Problems, Read, Value};

/// Maximum size of a record's custom fields as serialized JSON, in bytes.
pub const MAX_CUSTOM_FIELDS_BYTES: usize = 64 * 1024;
/// Maximum nesting of a record's custom fields; the object itself is level 1.
pub const MAX_CUSTOM_FIELDS_DEPTH: usize = 8;

/// A list of at most `MAX_ITEMS` one-line texts of 1 to `MAX_CHARACTERS` characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Items<const MAX_ITEMS: usize, const MAX_CHARACTERS: usize>(Vec<String>);

impl<const A: usize, const B: usize> Items<A, B> {
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

impl<const A: usize, const B: usize> From<Items<A, B>> for Vec<String> {
    fn from(value: Items<A, B>) -> Self {
        value.0
    }
}

impl<const MAX_ITEMS: usize, const MAX_CHARACTERS: usize> Value for Items<MAX_ITEMS, MAX_CHARACTERS> {
    fn schema() -> Json {
        json!({ "type": "array", "items": text_schema(MAX_CHARACTERS), "maxItems": MAX_ITEMS })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Some(items) = items_of(json, at, "must be an array of strings", problems) else { return Read::Invalid };
        if items.len() > MAX_ITEMS {
            problems.rule(at, "too_many", format!("must have at most {MAX_ITEMS} items"));
        }
        let mut texts = Vec::with_capacity(items.len().min(MAX_ITEMS));
        let mut good = items.len() <= MAX_ITEMS;
        for (index, item) in items.into_iter().enumerate() {
            let place = format!("{at}[{index}]");
            match Line::<MAX_CHARACTERS>::read(item, &place, problems) {
                Read::Value(line) => texts.push(line.into()),
                Read::Empty => {
                    problems.rule(place, "required", "must not be empty");
                    good = false;
                }
                Read::Invalid => good = false,
            }
        }
        if good { Read::Value(Self(texts)) } else { Read::Invalid }
    }
}

/// A list of at most `MAX` values of one type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Several<T, const MAX: usize>(pub Vec<T>);

impl<T, const MAX: usize> Default for Several<T, MAX> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T, const MAX: usize> From<Vec<T>> for Several<T, MAX> {
    fn from(values: Vec<T>) -> Self {
        Self(values)
    }
}

impl<T: PartialEq, const MAX: usize> Several<T, MAX> {
    /// Whether a filter by these values accepts the value: without values it accepts all.
    pub fn accepts(&self, value: &T) -> bool {
        self.0.is_empty() || self.0.contains(value)
    }
}

impl<T: Value, const MAX: usize> Value for Several<T, MAX> {
    fn schema() -> Json {
        json!({ "type": "array", "items": T::schema(), "maxItems": MAX })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Some(items) = items_of(json, at, "must be an array", problems) else { return Read::Invalid };
        if items.len() > MAX {
            problems.rule(at, "too_many", format!("must have at most {MAX} items"));
            return Read::Invalid;
        }
        let mut values = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            match T::read(item, &format!("{at}[{index}]"), problems) {
                Read::Value(value) => values.push(value),
                Read::Empty => problems.shape(format!("{at}[{index}]"), "required", "must not be empty"),
                Read::Invalid => {}
            }
        }
        Read::Value(Self(values))
    }
}

/// A free-form JSON object, bounded in size and depth.
#[derive(Debug, Clone, PartialEq)]
pub struct CustomFields(Map<String, Json>);

impl From<CustomFields> for Map<String, Json> {
    fn from(value: CustomFields) -> Self {
        value.0
    }
}

impl Value for CustomFields {
    fn schema() -> Json {
        // Generators take an object that says nothing of its members for one without any.
        json!({ "type": "object", "additionalProperties": true })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        if !json.is_object() {
            problems.shape(at, "invalid_type", "must be a JSON object");
            return Read::Invalid;
        }
        let mut good = true;
        if depth(&json) > MAX_CUSTOM_FIELDS_DEPTH {
            problems.rule(at, "too_deep", format!("must be nested at most {MAX_CUSTOM_FIELDS_DEPTH} levels deep"));
            good = false;
        }
        if json.to_string().len() > MAX_CUSTOM_FIELDS_BYTES {
            problems.rule(at, "too_long", format!("must be at most {MAX_CUSTOM_FIELDS_BYTES} bytes as JSON"));
            good = false;
        }
        if has_nul(&json) {
            problems.rule(at, "control_character", "must not contain the NUL character");
            good = false;
        }
        match json {
            Json::Object(object) if good => Read::Value(Self(object)),
            _ => Read::Invalid,
        }
    }
}

fn depth(json: &Json) -> usize {
    match json {
        Json::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Json::Object(object) => 1 + object.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn has_nul(json: &Json) -> bool {
    match json {
        Json::String(text) => text.contains('\0'),
        Json::Array(items) => items.iter().any(has_nul),
        Json::Object(object) => object.iter().any(|(name, value)| name.contains('\0') || has_nul(value)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn codes<T: Value>(json: Json) -> Vec<(String, &'static str)> {
        let mut problems = Problems::default();
        let _ = T::read(json, "f", &mut problems);
        match problems.into_result() {
            Ok(()) => vec![],
            Err(crate::Error::Malformed(list) | crate::Error::Invalid(list)) => {
                list.into_iter().map(|problem| (problem.field, problem.code)).collect()
            }
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn tags_report_every_broken_item() {
        type Tags = Items<2, 3>;
        assert_eq!(codes::<Tags>(json!(["a", "abc"])), []);
        assert_eq!(
            codes::<Tags>(json!(["abcd", " ", "x"])),
            [("f".to_owned(), "too_many"), ("f[0]".to_owned(), "too_long"), ("f[1]".to_owned(), "required")]
        );
        assert_eq!(codes::<Tags>(json!(["a", 1])), [("f[1]".to_owned(), "invalid_type")]);
        assert_eq!(codes::<Tags>(json!("a")), [("f".to_owned(), "invalid_type")]);
    }

    #[test]
    fn custom_fields_are_bounded() {
        let nested = |levels: usize| (1..levels).fold(json!({}), |inner, _| json!({ "a": inner }));
        assert_eq!(codes::<CustomFields>(nested(8)), []);
        assert_eq!(codes::<CustomFields>(nested(9)), [("f".to_owned(), "too_deep")]);
        // {"a":"…"} is 8 bytes more than its text.
        assert_eq!(codes::<CustomFields>(json!({"a": "x".repeat(MAX_CUSTOM_FIELDS_BYTES - 8)})), []);
        assert_eq!(
            codes::<CustomFields>(json!({"a": "x".repeat(MAX_CUSTOM_FIELDS_BYTES - 7)})),
            [("f".to_owned(), "too_long")]
        );
        assert_eq!(codes::<CustomFields>(json!({"a\0": 1})), [("f".to_owned(), "control_character")]);
        assert_eq!(codes::<CustomFields>(json!([])), [("f".to_owned(), "invalid_type")]);
    }
}
