//! The custom fields of a record: a free-form JSON object whose members an update sets and removes individually.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

use super::inexact::is_marker;
use super::{Field, Problems, Read, Value};
use crate::Error;

/// Changes and problems name a single custom field as `custom_fields.NAME`.
pub(crate) const CUSTOM_FIELDS: &str = "custom_fields";
/// Maximum size of a record's custom fields as serialized JSON, in bytes.
pub const MAX_CUSTOM_FIELDS_BYTES: usize = 64 * 1024;
/// Maximum nesting of a record's custom fields; the object itself is level 1.
pub const MAX_CUSTOM_FIELDS_DEPTH: usize = 8;
/// The smallest float above the range of unsigned 64-bit integers.
const ABOVE_UNSIGNED: f64 = 18_446_744_073_709_551_616.0;
/// Floats at or below this are outside the range of signed 64-bit integers. The integer with this value is not parsed as a float.
const BELOW_SIGNED: f64 = -9_223_372_036_854_775_808.0;

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
        // Generators treat an object schema without `additionalProperties` as an object without members.
        json!({ "type": "object", "additionalProperties": true })
    }

    fn read(mut json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        if !json.is_object() {
            return problems.malformed(at, "invalid_type", "must be a JSON object");
        }
        let mut good = true;
        if depth(&json) > MAX_CUSTOM_FIELDS_DEPTH {
            problems.rule(at, "too_deep", format!("must be nested at most {MAX_CUSTOM_FIELDS_DEPTH} levels deep"));
            good = false;
        }
        if json.to_string().len() > MAX_CUSTOM_FIELDS_BYTES {
            problems.rule(at, "too_long", too_long());
            good = false;
        }
        if any(&json, &|value| value.as_str().is_some_and(has_nul), has_nul) {
            problems.rule(at, "control_character", "must not contain the NUL character");
            good = false;
        }
        if any(&json, &loses_digits, |_| false) {
            problems.rule(at, "out_of_range", "numbers must fit into 64 bits: send larger ones as strings");
            good = false;
        }
        replace_negative_zeros(&mut json);
        match json {
            Json::Object(object) if good => Read::Value(Self(object)),
            _ => Read::Invalid,
        }
    }
}

impl Field<CustomFields> {
    /// Merges an update into the stored custom fields: a member that is sent is set, null removes it, and others stay.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the merged object is too large.
    pub fn merged_with(self, stored: &Map<String, Json>, name: &str) -> Result<Self, Error> {
        let Self::Set(CustomFields(sent)) = self else { return Ok(self) };
        let mut merged = stored.clone();
        for (member, value) in sent {
            if value.is_null() {
                merged.remove(&member);
            } else {
                merged.insert(member, value);
            }
        }
        let bytes = serde_json::to_string(&merged).map_or(usize::MAX, |json| json.len());
        if bytes > MAX_CUSTOM_FIELDS_BYTES {
            let message = format!("{}, including those that the record already has", too_long());
            return Err(Error::invalid(name, "too_long", message));
        }
        Ok(Self::Set(CustomFields(merged)))
    }
}

/// The custom fields that differ, each with its full name, its old value and its new value. A missing one is null, so adding or
/// removing a null is not a change.
pub(crate) fn changed_custom_fields<'a>(
    from: &'a Map<String, Json>,
    to: &'a Map<String, Json>,
) -> impl Iterator<Item = (String, &'a Json, &'a Json)> {
    const NONE: &Json = &Json::Null;
    let names: BTreeSet<&String> = from.keys().chain(to.keys()).collect();
    let values = names.into_iter().map(move |name| {
        (format!("{CUSTOM_FIELDS}.{name}"), from.get(name).unwrap_or(NONE), to.get(name).unwrap_or(NONE))
    });
    values.filter(|(_, from, to)| from != to)
}

fn too_long() -> String {
    format!("must be at most {MAX_CUSTOM_FIELDS_BYTES} bytes as JSON")
}

fn depth(json: &Json) -> usize {
    match json {
        Json::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Json::Object(object) => 1 + object.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Whether the predicate holds for the value, for a value nested in it, or for a name of a member.
fn any(json: &Json, is_value: &impl Fn(&Json) -> bool, is_name: fn(&str) -> bool) -> bool {
    match json {
        Json::Array(items) => items.iter().any(|item| any(item, is_value, is_name)),
        Json::Object(object) => object.iter().any(|(name, value)| is_name(name) || any(value, is_value, is_name)),
        value => is_value(value),
    }
}

fn has_nul(text: &str) -> bool {
    text.contains('\0')
}

/// Whether a number was rounded: an integer of more than 64 bits, or a number that a float cannot hold.
fn loses_digits(value: &Json) -> bool {
    let float = value.as_number().filter(|number| number.is_f64()).and_then(serde_json::Number::as_f64);
    float.is_some_and(|float| float >= ABOVE_UNSIGNED || float <= BELOW_SIGNED || is_marker(float))
}

/// Replaces each -0.0 by 0.0: a database stores no negative zero, so a read would return another value than the create did.
fn replace_negative_zeros(json: &mut Json) {
    match json {
        Json::Array(items) => items.iter_mut().for_each(replace_negative_zeros),
        Json::Object(object) => object.values_mut().for_each(replace_negative_zeros),
        Json::Number(number) if number.is_f64() && number.as_f64() == Some(0.0) => *json = Json::from(0.0),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn codes(json: Json) -> Vec<&'static str> {
        let mut problems = Problems::default();
        let _ = CustomFields::read(json, "f", &mut problems);
        let details = problems.into_result().err().map(|error| error.details()).unwrap_or_default();
        details.iter().map(|problem| problem.code).collect()
    }

    fn object(json: Json) -> Map<String, Json> {
        match json {
            Json::Object(object) => object,
            other => panic!("{other}"),
        }
    }

    fn merged(stored: Json, sent: Json) -> Result<Json, Error> {
        let field = Field::Set(CustomFields(object(sent))).merged_with(&object(stored), "custom_fields")?;
        Ok(field.set().unwrap().0.clone().into())
    }

    #[test]
    fn custom_fields_are_bounded() {
        let nested = |levels: usize| (1..levels).fold(json!({}), |inner, _| json!({ "a": inner }));
        assert!(codes(nested(8)).is_empty());
        assert_eq!(codes(nested(9)), ["too_deep"]);
        // `{"a":"…"}` is 8 bytes longer than its text.
        assert!(codes(json!({"a": "x".repeat(MAX_CUSTOM_FIELDS_BYTES - 8)})).is_empty());
        assert_eq!(codes(json!({"a": "x".repeat(MAX_CUSTOM_FIELDS_BYTES - 7)})), ["too_long"]);
        assert_eq!(codes(json!({"a\0": 1})), ["control_character"]);
        assert_eq!(codes(json!({"a": ["\0"]})), ["control_character"]);
        assert_eq!(codes(json!([])), ["invalid_type"]);
    }

    #[test]
    fn numbers_that_64_bits_cannot_hold_are_refused() {
        let parsed_codes =
            |number: &str| codes(super::super::json::parse(format!(r#"{{"a": [{number}]}}"#).as_bytes()).unwrap());
        for number in ["18446744073709551615", "-9223372036854775808", "0.1", "1e19", "-1e18", "0"] {
            assert!(parsed_codes(number).is_empty(), "{number}");
        }
        for number in [
            "18446744073709551616",
            "-9223372036854775809",
            "99999999999999999999",
            "1e300",
            "-1e20",
            "1e400",
            "1e-400",
            "0.1000000000000000055",
        ] {
            assert_eq!(parsed_codes(number), ["out_of_range"], "{number}");
        }
    }

    #[test]
    fn negative_zeros_are_read_as_zeros() {
        let sent =
            super::super::json::parse(br#"{"a": -0.0, "b": [-0, {"c": -0e5}], "d": -1, "e": 0, "f": "-0.0"}"#).unwrap();
        let Read::Value(read) = CustomFields::read(sent, "f", &mut Problems::default()) else { panic!("refused") };
        let expected = r#"{"a":0.0,"b":[0.0,{"c":0.0}],"d":-1,"e":0,"f":"-0.0"}"#;
        assert_eq!(Json::Object(read.into()).to_string(), expected);
    }

    #[test]
    fn a_removed_null_is_not_a_change() {
        let (from, to) = (object(json!({"n": null, "a": 1})), object(json!({"m": null})));
        let changed: Vec<_> = changed_custom_fields(&from, &to).map(|(name, ..)| name).collect();
        assert_eq!(changed, ["custom_fields.a"]);
    }

    #[test]
    fn an_update_sets_and_removes_members_and_leaves_the_others() {
        let stored = || json!({"a": 1, "b": {"c": 2}, "d": null});
        for (sent, expected) in [
            (json!({}), stored()),
            (json!({"e": "x"}), json!({"a": 1, "b": {"c": 2}, "d": null, "e": "x"})),
            (json!({"a": null}), json!({"b": {"c": 2}, "d": null})),
            (json!({"d": null, "absent": null}), json!({"a": 1, "b": {"c": 2}})),
            // Objects are not merged: a member is replaced as a whole.
            (json!({"b": {"e": null}}), json!({"a": 1, "b": {"e": null}, "d": null})),
        ] {
            assert_eq!(merged(stored(), sent.clone()).unwrap(), expected, "{sent}");
        }
        let none = Field::<CustomFields>::Null.merged_with(&object(stored()), "custom_fields").unwrap();
        assert_eq!(none, Field::Null);
    }

    #[test]
    fn the_size_limit_applies_to_the_merged_fields() {
        let half = "x".repeat(MAX_CUSTOM_FIELDS_BYTES / 2 - 8);
        // `{"a":"…","b":"…"}` is 15 bytes longer than its texts, which together are 16 bytes below the bound.
        let stored = || json!({"a": half.clone()});
        assert!(merged(stored(), json!({"b": format!("{half}x")})).is_ok());
        let refused = merged(stored(), json!({"b": format!("{half}xx")})).unwrap_err();
        assert_eq!(refused.details()[0].code, "too_long");
        assert!(merged(stored(), json!({"a": null, "b": format!("{half}xx")})).is_ok());
    }

    proptest! {
        /// Applying the reported changes to the old fields gives the new ones.
        #[test]
        fn reported_changes_turn_the_old_fields_into_the_new(
            from in proptest::collection::btree_map("[ab.]{0,2}", 0_u8..3, 0..5),
            to in proptest::collection::btree_map("[ab.]{0,2}", 0_u8..3, 0..5),
        ) {
            let (from, to) = (object(json!(from)), object(json!(to)));
            let mut replayed = from.clone();
            for (name, was, is) in changed_custom_fields(&from, &to) {
                let name = name.strip_prefix("custom_fields.").unwrap();
                prop_assert_eq!(from.get(name).unwrap_or(&Json::Null), was);
                if is.is_null() { replayed.remove(name); } else { replayed.insert(name.to_owned(), is.clone()); }
            }
            prop_assert_eq!(replayed, to);
        }
    }
}
