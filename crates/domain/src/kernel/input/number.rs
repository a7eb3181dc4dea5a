//! Exact numbers: bounded integers, and decimals with at most two places.

use std::ops::RangeInclusive;

use rust_decimal::Decimal;
use serde::Serializer;
use serde_json::{Number, Value as Json, json};

use super::{Problems, Read, Value, as_json};

/// A larger JSON float may differ from the number that was written.
const LARGEST_EXACT_FLOAT: f64 = 9_007_199_254_740_992.0;

/// An integer between `MIN` and `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Integer<const MIN: i32, const MAX: i32>(i32);

impl<const MIN: i32, const MAX: i32> Integer<MIN, MAX> {
    pub const fn get(self) -> i32 {
        self.0
    }
}

impl<const MIN: i32, const MAX: i32> From<Integer<MIN, MAX>> for i32 {
    fn from(value: Integer<MIN, MAX>) -> Self {
        value.0
    }
}

/// A whole number from 0 to 100.
pub type Percentage = Integer<0, 100>;

impl<const MIN: i32, const MAX: i32> Value for Integer<MIN, MAX> {
    fn schema() -> Json {
        json!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let value = read_integer(json, at, i64::from(MIN)..=i64::from(MAX), problems);
        value.and_then(|value| i32::try_from(value).ok()).map_or(Read::Invalid, |value| Read::Value(Self(value)))
    }
}

/// A whole number from 0 to `MAX`, for values that exceed an [`Integer`], such as bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count<const MAX: u64>(u64);

impl<const MAX: u64> Count<MAX> {
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl<const MAX: u64> Value for Count<MAX> {
    fn schema() -> Json {
        json!({ "type": "integer", "minimum": 0, "maximum": MAX })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let value = read_integer(json, at, 0..=i64::try_from(MAX).unwrap_or(i64::MAX), problems);
        value.map_or(Read::Invalid, |value| Read::Value(Self(value.unsigned_abs())))
    }
}

fn read_integer(json: Json, at: &str, range: RangeInclusive<i64>, problems: &mut Problems) -> Option<i64> {
    let Json::Number(number) = json else {
        problems.shape(at, "invalid_type", "must be an integer");
        return None;
    };
    match whole(&number) {
        Some(value) if range.contains(&value) => return Some(value),
        None if number.as_f64().is_some_and(has_fraction) => {
            problems.shape(at, "invalid_type", "must be an integer");
        }
        _ => problems.rule(at, "out_of_range", format!("must be between {} and {}", range.start(), range.end())),
    }
    None
}

/// The integer that a number stands for. It may be written as `5.0`, which JSON Schema and client generators treat as an integer.
fn whole(number: &Number) -> Option<i64> {
    let written_as_float =
        || number.as_f64().filter(|float| !has_fraction(*float) && float.abs() < LARGEST_EXACT_FLOAT);
    // Within that bound, every whole float is an `i64`, and its shortest text has no exponent.
    number.as_i64().or_else(|| format!("{}", written_as_float()?).parse().ok())
}

fn has_fraction(float: f64) -> bool {
    float.fract() != 0.0
}

/// An exact number from 0 to `MAX_HUNDREDTHS / 100` with at most two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TwoDecimals<const MAX_HUNDREDTHS: i64>(Decimal);

impl<const MAX_HUNDREDTHS: i64> From<TwoDecimals<MAX_HUNDREDTHS>> for Decimal {
    fn from(value: TwoDecimals<MAX_HUNDREDTHS>) -> Self {
        value.0
    }
}

impl<const MAX_HUNDREDTHS: i64> Value for TwoDecimals<MAX_HUNDREDTHS> {
    fn schema() -> Json {
        let max = Decimal::new(MAX_HUNDREDTHS, 2).normalize().to_string().parse::<f64>().unwrap_or(f64::MAX);
        json!({ "type": "number", "minimum": 0, "maximum": max })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::Number(number) = json else { return problems.malformed(at, "invalid_type", "must be a number") };
        let max = Decimal::new(MAX_HUNDREDTHS, 2).normalize();
        // A float's shortest text preserves every value of up to 15 digits, so nothing is lost here.
        let text = number.to_string();
        let decimal =
            text.parse::<Decimal>().or_else(|_| Decimal::from_scientific(&text)).map(|value| value.normalize());
        let is_in_range = match &decimal {
            Ok(value) => (Decimal::ZERO..=max).contains(value),
            // Too small for a decimal, unless it is too large.
            Err(_) => number.as_f64().is_some_and(|float| float.abs() < 1.0),
        };
        match decimal {
            Ok(value) if is_in_range && value.scale() <= 2 => return Read::Value(Self(value)),
            _ if is_in_range => problems.rule(at, "too_many_decimals", "must have at most 2 decimals"),
            _ => problems.rule(at, "out_of_range", format!("must be between 0 and {max}")),
        }
        Read::Invalid
    }
}

/// Serializes a decimal as a JSON number with the same digits.
pub fn decimal_as_number<S: Serializer>(value: &Decimal, serializer: S) -> Result<S::Ok, S::Error> {
    let value = value.normalize();
    if value.scale() == 0
        && let Ok(whole) = i64::try_from(value)
    {
        return serializer.serialize_i64(whole);
    }
    if let Some(float) = quotient(value) {
        return serializer.serialize_f64(float);
    }
    match value.to_string().parse::<f64>() {
        Ok(float) => serializer.serialize_f64(float),
        Err(error) => Err(serde::ser::Error::custom(error)),
    }
}

/// The float that is closest to a decimal of up to 15 digits, ten times as fast as parsing it. The digits and the power of ten are
/// exact floats, so only their quotient is rounded.
#[expect(clippy::cast_precision_loss, reason = "up to 10^15 there is none")]
fn quotient(value: Decimal) -> Option<f64> {
    const MOST: i64 = 10_i64.pow(15);
    let digits = i64::try_from(value.mantissa()).ok().filter(|digits| (-MOST..=MOST).contains(digits))?;
    let power = 10_i64.checked_pow(value.scale()).filter(|power| *power <= MOST)?;
    Some(digits as f64 / power as f64)
}

/// Serializes an optional decimal as a JSON number or null.
pub fn optional_decimal_as_number<S: Serializer>(value: &Option<Decimal>, serializer: S) -> Result<S::Ok, S::Error> {
    as_json(value, serializer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Money = TwoDecimals<99_999_999_999_999>;

    fn read_money(text: &str) -> Result<String, (usize, usize)> {
        let mut problems = Problems::default();
        let json = super::super::json::parse(text.as_bytes()).unwrap();
        match Money::read(json, "value", &mut problems) {
            Read::Value(money) => {
                let mut out = Vec::new();
                decimal_as_number(&money.into(), &mut serde_json::Serializer::new(&mut out)).unwrap();
                Ok(String::from_utf8(out).unwrap())
            }
            _ => match problems.into_result() {
                Err(crate::Error::Malformed(list)) => Err((list.len(), 0)),
                Err(crate::Error::Invalid(list)) => Err((0, list.len())),
                other => panic!("{other:?}"),
            },
        }
    }

    proptest! {
        #[test]
        fn the_quotient_equals_the_parsed_number(digits in -2_000_000_000_000_000_i64..2_000_000_000_000_000, scale in 0_u32..=20) {
            let value = Decimal::from_i128_with_scale(digits.into(), scale);
            let parsed: f64 = value.to_string().parse().unwrap();
            prop_assert!(quotient(value).is_none_or(|quotient| quotient.to_bits() == parsed.to_bits()), "{}", value);
        }
    }

    #[test]
    fn money_is_exact_and_bounded() {
        for (input, output) in [
            ("0.1", "0.1"),
            ("999999999999.99", "999999999999.99"),
            ("0", "0"),
            ("-0.0", "0"),
            ("5000", "5000"),
            ("5000.00", "5000"),
            ("1e3", "1000"),
            ("12.5", "12.5"),
        ] {
            assert_eq!(read_money(input).as_deref(), Ok(output), "{input}");
        }
        let fine = format!("12.{}1", "0".repeat(70));
        for broken in [
            "-0.01",
            "1000000000000",
            "0.001",
            "999999999999.999",
            "1e300",
            "1e-300",
            "18446744073709551615",
            "1e309",
            "-1e309",
            "1e-324",
            &fine,
        ] {
            assert_eq!(read_money(broken), Err((0, 1)), "{broken}");
        }
        for wrong in ["\"1\"", "true", "[]", "{}"] {
            assert_eq!(read_money(wrong), Err((1, 0)), "{wrong}");
        }
    }

    #[test]
    fn integers_check_range_and_shape() {
        for (text, shape, rules) in [
            ("0", 0, 0),
            ("100", 0, 0),
            ("101", 0, 1),
            ("-1", 0, 1),
            ("1e30", 0, 1),
            ("99999999999999999999", 0, 1),
            ("1.5", 1, 0),
            ("5.0", 0, 0),
            ("1e2", 0, 0),
            ("-0.0", 0, 0),
            ("101.0", 0, 1),
            ("0.1", 1, 0),
            ("9007199254740993.0", 0, 1),
            ("1e309", 0, 1),
            ("12.0000000000000000000001", 1, 0),
            ("\"5\"", 1, 0),
            ("true", 1, 0),
        ] {
            let mut problems = Problems::default();
            let _ = Percentage::read(super::super::json::parse(text.as_bytes()).unwrap(), "p", &mut problems);
            let found = match problems.into_result() {
                Ok(()) => (0, 0),
                Err(crate::Error::Malformed(list)) => (list.len(), 0),
                Err(crate::Error::Invalid(list)) => (0, list.len()),
                Err(other) => panic!("{other:?}"),
            };
            assert_eq!(found, (shape, rules), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_amount_of_cents_round_trips_through_json(cents in 0i64..=99_999_999_999_999) {
            let text = Decimal::new(cents, 2).normalize().to_string();
            prop_assert_eq!(read_money(&text), Ok(text));
        }
    }
}
