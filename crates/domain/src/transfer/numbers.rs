//! Reads numbers in cells, as spreadsheets write them: exactly, or not at all.

use serde_json::Number;

use crate::kernel::input::choices;

choices! {
    /// The decimal separator of numbers.
    pub enum DecimalSign {
        /// `1,234.5`
        Point = "point",
        /// `1.234,5`
        Comma = "comma",
    }
}

impl DecimalSign {
    const fn character(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }

    /// The thousands separator that goes with this decimal separator.
    const fn between_thousands(self) -> char {
        match self {
            Self::Point => ',',
            Self::Comma => '.',
        }
    }
}

/// Thousands separators that go with both decimal separators: spaces (including non-breaking and thin ones) and apostrophes.
const NEUTRAL_SEPARATORS: [char; 6] = [' ', '\u{a0}', '\u{202f}', '\u{2009}', '\'', '’'];
/// The character that some spreadsheets write instead of a hyphen before negative numbers.
const MINUS: char = '\u{2212}';

/// The number in a cell. If the decimal separator is unknown, the number must have the same value with both separators, or be
/// valid with only one.
///
/// # Errors
/// How to write the number.
pub(super) fn number_of(text: &str, decimal: Option<DecimalSign>) -> Result<Number, String> {
    if is_scientific(text) {
        return Err(format!("{text} may have lost digits in a spreadsheet: write all digits, such as 1234.5"));
    }
    let read = |decimal| digits_of(text, decimal);
    let digits = match decimal {
        Some(decimal) => read(decimal).ok_or_else(|| wrong_for(text, decimal))?,
        None => match (read(DecimalSign::Point), read(DecimalSign::Comma)) {
            (Some(point), Some(comma)) if point != comma => return Err(ambiguous(text, &point, &comma)),
            (Some(digits), _) | (None, Some(digits)) => digits,
            (None, None) => return Err("must be a number, such as 1234.5".to_owned()),
        },
    };
    exact(&digits).ok_or_else(|| format!("{text} has too many digits: at most 15 are kept"))
}

/// The message for a text that is not a number with this decimal separator.
fn wrong_for(text: &str, decimal: DecimalSign) -> String {
    let other = match decimal {
        DecimalSign::Point => DecimalSign::Comma,
        DecimalSign::Comma => DecimalSign::Point,
    };
    let example = format!("must be a number, such as 1234{}5", decimal.character());
    if digits_of(text, other).is_some() {
        return format!("{example}; if this file has decimal {other}s, choose {other} as its decimal separator");
    }
    example
}

fn ambiguous(text: &str, point: &str, comma: &str) -> String {
    let (whole, fraction) = if text.contains('.') { (comma, point) } else { (point, comma) };
    // With three digits after the point, it would be just as ambiguous.
    let has_three = fraction.split_once('.').is_some_and(|(_, digits)| digits.len() == 3);
    let zero = if has_three { "0" } else { "" };
    format!("{text} is ambiguous: write {whole} or {fraction}{zero}, or choose the decimal separator of the file")
}

/// The digits of a number, with a point before the fraction and without insignificant zeros.
fn digits_of(text: &str, decimal: DecimalSign) -> Option<String> {
    let (minus, unsigned) = match text.strip_prefix(['-', MINUS]) {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = match unsigned.split_once(decimal.character()) {
        Some((whole, fraction)) if are_digits(fraction) => (whole, fraction.trim_end_matches('0')),
        Some(_) => return None,
        None => (unsigned, ""),
    };
    let whole = ungrouped(whole, decimal.between_thousands())?;
    let whole = whole.trim_start_matches('0');
    Some(match (whole, fraction) {
        ("", "") => "0".to_owned(),
        ("", _) => format!("{minus}0.{fraction}"),
        (_, "") => format!("{minus}{whole}"),
        _ => format!("{minus}{whole}.{fraction}"),
    })
}

/// The digits of a whole number without its separators, which are between thousands, or as in India: `12,34,567`.
fn ungrouped(whole: &str, between_thousands: char) -> Option<String> {
    let Some(separator) = whole.chars().find(|character| !character.is_ascii_digit()) else {
        return are_digits(whole).then(|| whole.to_owned());
    };
    if separator != between_thousands && !NEUTRAL_SEPARATORS.contains(&separator) {
        return None;
    }
    let groups: Vec<_> = whole.split(separator).collect();
    let [first, middle @ .., last] = &groups[..] else { return None };
    let width = middle.first().map_or(3, |group| group.len());
    let is_grouped = groups.iter().all(|group| are_digits(group))
        && !first.starts_with('0')
        && first.len() <= width
        && (2..=3).contains(&width)
        && middle.iter().all(|group| group.len() == width)
        && last.len() == 3;
    is_grouped.then(|| groups.concat())
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number; `None` if JSON would store a different one.
fn exact(digits: &str) -> Option<Number> {
    if let Ok(whole) = digits.parse::<i64>() {
        return Some(whole.into());
    }
    let float: f64 = digits.parse().ok()?;
    // The shortest text that is read as the same float.
    if float.to_string() == digits { Number::from_f64(float) } else { None }
}

/// Whether a text is a number in scientific notation: `1.23457E+11`.
fn is_scientific(text: &str) -> bool {
    let Some((number, power)) = text.split_once(['E', 'e']) else { return false };
    let number = number.strip_prefix(['-', '+', MINUS]).unwrap_or(number);
    let (whole, fraction) = number.split_once(['.', ',']).unwrap_or((number, "0"));
    are_digits(whole) && are_digits(fraction) && are_digits(power.strip_prefix(['-', '+']).unwrap_or(power))
}

/// Whether a text is a long number as a spreadsheet displays it, with one digit before the point and a signed exponent.
pub(super) fn is_shortened(text: &str) -> bool {
    let (number, power) = text.split_once(['E', 'e']).unwrap_or((text, ""));
    let number = number.strip_prefix(['-', MINUS]).unwrap_or(number);
    let has_sign = power.starts_with(['-', '+']) && power.len() > 2;
    has_sign && number.find(['.', ',']).unwrap_or(number.len()) == 1 && is_scientific(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const POINT: Option<DecimalSign> = Some(DecimalSign::Point);
    const COMMA: Option<DecimalSign> = Some(DecimalSign::Comma);

    fn read(text: &str, decimal: Option<DecimalSign>) -> Result<String, String> {
        number_of(text, decimal).map(|number| number.to_string())
    }

    #[test]
    fn ambiguous_numbers_are_refused() {
        for (text, whole, fraction) in [
            ("1.500", "1500", "1.5"),
            ("1,500", "1500", "1.5"),
            ("100.000", "100000", "100"),
            ("999.990", "999990", "999.99"),
            ("12,345", "12345", "12.3450"),
            ("-1.500", "-1500", "-1.5"),
        ] {
            let expected = format!(
                "{text} is ambiguous: write {whole} or {fraction}, or choose the decimal separator of the file"
            );
            assert_eq!(read(text, None), Err(expected), "{text}");
            for suggested in [whole, fraction] {
                assert!(read(suggested, None).is_ok(), "{suggested}");
            }
            let (as_whole, as_fraction) = if text.contains('.') { (COMMA, POINT) } else { (POINT, COMMA) };
            assert_eq!(read(text, as_whole).as_deref(), Ok(whole), "{text}");
            let fraction = if fraction == "12.3450" { "12.345" } else { fraction };
            assert_eq!(
                read(text, as_fraction).map(|read| read.trim_end_matches(".0").to_owned()).as_deref(),
                Ok(fraction)
            );
        }
    }

    #[test]
    fn unambiguous_numbers_are_read() {
        for (text, value) in [
            ("12,5", "12.5"),
            ("12.5", "12.5"),
            ("12,50", "12.5"),
            ("0.500", "0.5"),
            ("0,125", "0.125"),
            ("1.234,50", "1234.5"),
            ("1,234.50", "1234.5"),
            ("2.000.000", "2000000"),
            ("2,000,000", "2000000"),
            ("1.234.567,891", "1234567.891"),
            ("12,34,567", "1234567"),
            ("12345,678", "12345.678"),
            ("1 234,500", "1234.5"),
            ("1\u{a0}234.500", "1234.5"),
            ("1\u{202f}234\u{202f}567", "1234567"),
            ("1'234.50", "1234.5"),
            ("1’234", "1234"),
            ("\u{2212}7,5", "-7.5"),
            ("+7", "7"),
            ("007", "7"),
            ("0", "0"),
            ("-0.0", "0"),
        ] {
            assert_eq!(read(text, None).as_deref(), Ok(value), "{text}");
        }
    }

    #[test]
    fn known_decimal_separators_are_enforced() {
        for (text, decimal, value) in [
            ("1,234", POINT, "1234"),
            ("1.234", POINT, "1.234"),
            ("1.234", COMMA, "1234"),
            ("1,234", COMMA, "1.234"),
            ("2,000,000", POINT, "2000000"),
            ("2.000.000", COMMA, "2000000"),
        ] {
            assert_eq!(read(text, decimal).as_deref(), Ok(value), "{text}");
        }
        // A value like this suggests that the other numbers of the file are written in the same way.
        let comma =
            "must be a number, such as 1234.5; if this file has decimal commas, choose comma as its decimal separator";
        for text in ["12,5", "1.234,50", "2.000.000"] {
            assert_eq!(read(text, POINT).unwrap_err(), comma, "{text}");
        }
        let point =
            "must be a number, such as 1234,5; if this file has decimal points, choose point as its decimal separator";
        assert_eq!(read("12.5", COMMA).unwrap_err(), point);
    }

    #[test]
    fn other_texts_are_not_numbers() {
        for text in [
            "",
            "-",
            ".",
            ",5",
            ".5",
            "5.",
            "5,",
            "1,2,3",
            "1.23,5",
            "1,23,45",
            "1,2345,678",
            "0,123,456",
            "1 23",
            "1 234'567",
            "- 5",
            "5-",
            "(5)",
            "5 %",
            "5 EUR",
            "€5",
            "1_000",
            "٣",
            "0x10",
            "NaN",
            "Infinity",
            "a,b",
        ] {
            for decimal in [POINT, COMMA, None] {
                assert!(read(text, decimal).is_err(), "{text:?} {decimal:?}");
            }
        }
    }

    #[test]
    fn numbers_that_cannot_be_stored_exactly_are_refused() {
        let tiny = format!("0.{}1", "0".repeat(323));
        let long = format!("12.{}1", "0".repeat(70));
        for text in [&*tiny, &*long, "9007199254740993.5", "123456789012345678901"] {
            let message = read(text, POINT).unwrap_err();
            assert_eq!(message, format!("{text} has too many digits: at most 15 are kept"));
        }
        for text in ["1e309", "1e-324", "1E+06", "1,23457E+11", "1.23457E+11", "-1.2e5"] {
            let message = read(text, POINT).unwrap_err();
            assert!(message.starts_with(&format!("{text} may have lost digits in a spreadsheet")), "{message}");
        }
        assert_eq!(read("999999999999.99", POINT).as_deref(), Ok("999999999999.99"));
        assert_eq!(read("9223372036854775807", POINT).as_deref(), Ok("9223372036854775807"));
    }

    #[test]
    fn shortened_numbers_are_distinguished_from_other_keys() {
        for text in ["1.23457E+11", "1,23457E+11", "1E+15", "4.9E-05", "-1.5E+20", "1.2e+06"] {
            assert!(is_shortened(text), "{text}");
        }
        for text in ["5E10", "1e5", "12E+11", "1.23", "E+11", "A1E+11", "1E+1", "1E+", "", "1.E+11", "2026E+02"] {
            assert!(!is_shortened(text), "{text}");
        }
    }

    proptest! {
        /// A number is read correctly however a spreadsheet groups its digits, whether or not the decimal separator is known.
        #[test]
        fn grouped_numbers_are_read_correctly(
            cents in 0_i64..100_000_000_000, form in 0_usize..6, is_known in any::<bool>()
        ) {
            let (decimal, between) = [
                (DecimalSign::Point, ","), (DecimalSign::Point, "'"), (DecimalSign::Point, ""),
                (DecimalSign::Comma, "."), (DecimalSign::Comma, "\u{a0}"), (DecimalSign::Comma, ""),
            ][form];
            let digits = (cents / 100).to_string();
            let mut whole = String::new();
            for (index, digit) in digits.chars().enumerate() {
                if index > 0 && (digits.len() - index) % 3 == 0 {
                    whole.push_str(between);
                }
                whole.push(digit);
            }
            let text = format!("{whole}{}{:02}", decimal.character(), cents % 100);
            let expected = number_of(&format!("{}.{:02}", cents / 100, cents % 100), POINT).unwrap();
            prop_assert_eq!(number_of(&text, is_known.then_some(decimal)), Ok(expected), "{}", text);
        }
    }
}
