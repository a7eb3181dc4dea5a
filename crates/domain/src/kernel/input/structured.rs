//! Lists of values.

use serde_json::{Value as Json, json};

use super::leniency::items_of;
use super::schema::text_schema;
use super::{Label, Problems, Read, Value};

/// A list of at most `MAX_ITEMS` one-line texts of 1 to `MAX_CHARACTERS` characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Items<const MAX_ITEMS: usize, const MAX_CHARACTERS: usize>(Vec<String>);

impl<const A: usize, const B: usize> Items<A, B> {
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }

    /// Reads the list and parses its items. Each item that cannot be parsed is reported with this code and message.
    pub(crate) fn read_each<T>(
        json: Json,
        at: &str,
        problems: &mut Problems,
        parse: fn(&str) -> Option<T>,
        (code, message): (&'static str, &str),
    ) -> Read<Vec<T>> {
        Self::read(json, at, problems).and_then(|Self(items)| {
            let parsed: Vec<_> = items.iter().map(|item| parse(item)).collect();
            for (index, _) in parsed.iter().enumerate().filter(|(_, item)| item.is_none()) {
                problems.rule(format!("{at}[{index}]"), code, message);
            }
            parsed.into_iter().collect::<Option<Vec<_>>>().map_or(Read::Invalid, Read::Value)
        })
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
            let path = format!("{at}[{index}]");
            match Label::<MAX_CHARACTERS>::read(item, &path, problems) {
                Read::Value(text) => texts.push(text.into()),
                Read::Empty => {
                    problems.rule(path, "required", "must not be empty");
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
    /// Whether a filter by these values accepts the value; an empty filter accepts all.
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
            return problems.invalid(at, "too_many", format!("must have at most {MAX} items"));
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn codes<T: Value>(json: Json) -> Vec<String> {
        let mut problems = Problems::default();
        let _ = T::read(json, "f", &mut problems);
        problems.into_codes().err().unwrap_or_default()
    }

    #[test]
    fn tags_report_every_broken_item() {
        type Tags = Items<2, 3>;
        assert!(codes::<Tags>(json!(["a", "abc"])).is_empty());
        assert_eq!(codes::<Tags>(json!(["abcd", " ", "x"])), ["f:too_many", "f[0]:too_long", "f[1]:required"]);
        assert_eq!(codes::<Tags>(json!(["a", 1])), ["f[1]:invalid_type"]);
        assert_eq!(codes::<Tags>(json!("a")), ["f:invalid_type"]);
    }
}
