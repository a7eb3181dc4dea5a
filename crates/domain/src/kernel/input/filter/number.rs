//! Numbers that filters compare with.

use rust_decimal::Decimal;
use serde_json::{Value as Json, json};

use super::super::inexact::is_marker;
use super::{FilterValue, Problems, Read, Value};

/// Maximum length of a number in a query, in bytes.
const MAX_NUMBER_LENGTH: usize = 30;

/// The largest number that a tool may compare with; no stored value reaches it.
const MAX_NUMBER: i64 = 1_000_000_000_000_000;

/// Any number to compare with, exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number(pub Decimal);

impl Value for Number {
    fn schema() -> Json {
        json!({ "type": "number", "minimum": -MAX_NUMBER, "maximum": MAX_NUMBER })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::Number(number) = json else { return problems.malformed(at, "invalid_type", "must be a number") };
        match decimal_of(&number) {
            _ if number.as_f64().is_some_and(is_marker) => problems.invalid(
                at,
                "out_of_range",
                format!("must be between -{MAX_NUMBER} and {MAX_NUMBER}, with at most 17 digits"),
            ),
            Some(value) if value.abs() <= MAX_NUMBER.into() => Read::Value(Self(value)),
            _ => problems.invalid(at, "out_of_range", format!("must be between -{MAX_NUMBER} and {MAX_NUMBER}")),
        }
    }
}

impl FilterValue for Number {
    fn read_text(text: &str, name: &str, problems: &mut Problems) -> Read<Self> {
        let exact = plain_number(text);
        match exact.or_else(|| json_number(text)) {
            Some(number) if number.abs() <= MAX_NUMBER.into() => return Read::Value(Self(number)),
            Some(_) => problems.shape(name, "invalid_value", format!("must be between -{MAX_NUMBER} and {MAX_NUMBER}")),
            None => problems.shape(name, "invalid_value", "must be a number such as 1250.5"),
        }
        Read::Invalid
    }
}

/// The exact decimal of a JSON number; `None` if it is too large for one.
fn decimal_of(number: &serde_json::Number) -> Option<Decimal> {
    // A float's shortest text preserves every value of up to 15 digits.
    let text = number.to_string();
    let decimal = text.parse().or_else(|_| Decimal::from_scientific(&text)).ok();
    // Too small for a decimal.
    let is_small = || number.as_f64().is_some_and(|float| float.abs() < 1.0);
    decimal.or_else(|| is_small().then_some(Decimal::ZERO))
}

/// A number as JSON writes it, such as `1.5e3`; the largest decimal if it is larger.
fn json_number(text: &str) -> Option<Decimal> {
    let number: serde_json::Number = text.parse().ok()?;
    Some(decimal_of(&number).unwrap_or(Decimal::MAX))
}

/// Digits as in JSON: no leading zeros, an optional minus sign, and an optional decimal point between digits.
fn plain_number(text: &str) -> Option<Decimal> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_padded = whole.len() > 1 && whole.starts_with('0');
    (text.len() <= MAX_NUMBER_LENGTH && all_digits(whole) && all_digits(fraction) && !is_padded)
        .then(|| Decimal::from_str_exact(text).ok())
        .flatten()
}
