//! JSON numbers that a float cannot hold, such as `1e309`, `1e-324` or one with 30 digits.
//!
//! Parsed directly, they would be a syntax error, 0, or a different number. So each is replaced by a marker value, [`TOO_LARGE`] or
//! [`TOO_PRECISE`], which clients do not send and which every type refuses with its own message.

use std::borrow::Cow;

/// The largest float. Replaces larger numbers.
const TOO_LARGE: &str = "1.7976931348623157e308";
/// The smallest positive float. Replaces numbers that are closer to 0 or have more digits than a float can hold.
const TOO_PRECISE: &str = "5e-324";
/// Every float can be written with this many digits, so a number with more of them was not written from a float.
const MAX_FLOAT_DIGITS: usize = 17;

/// Whether the number is one of the marker values.
pub(super) fn is_marker(number: f64) -> bool {
    let bits = number.abs().to_bits();
    bits == f64::MAX.to_bits() || bits == 1
}

/// Replaces each JSON number that a float cannot hold. Invalid JSON stays invalid.
pub fn with_markers(json: &[u8]) -> Cow<'_, [u8]> {
    let (mut marked, mut end, mut index) = (Vec::new(), 0, 0);
    while let Some(byte) = json.get(index) {
        match byte {
            b'"' => index += length_of_string(&json[index..]),
            b'-' | b'0'..=b'9' => {
                let length = json[index..].iter().take_while(|byte| is_number_byte(**byte)).count();
                let number = std::str::from_utf8(&json[index..index + length]).unwrap_or_default();
                if let Some(marker) = marker_for(number) {
                    marked.extend_from_slice(&json[end..index]);
                    marked.extend(number.starts_with('-').then_some(b'-'));
                    marked.extend_from_slice(marker.as_bytes());
                    end = index + length;
                }
                index += length;
            }
            _ => index += 1,
        }
    }
    if end == 0 {
        return Cow::Borrowed(json);
    }
    marked.extend_from_slice(&json[end..]);
    Cow::Owned(marked)
}

/// The length of the string at the start of the text, including its quotes.
fn length_of_string(json: &[u8]) -> usize {
    let mut index = 1;
    while let Some(byte) = json.get(index) {
        match byte {
            b'"' => return index + 1,
            b'\\' => index += 2,
            _ => index += 1,
        }
    }
    index
}

const fn is_number_byte(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
}

/// The marker for a number that a float cannot hold; `None` for other numbers.
fn marker_for(number: &str) -> Option<&'static str> {
    let is_plain = |number: &str| number.len() <= MAX_FLOAT_DIGITS && !number.contains(['e', 'E']);
    if is_plain(number) || !is_number(number) {
        return None;
    }
    let float: f64 = number.parse().ok()?;
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    let is_zero = mantissa.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    if float.is_infinite() {
        return Some(TOO_LARGE);
    }
    // Integers may have more digits; their type limits them.
    let is_integer = mantissa.len() == number.len() && !number.contains('.');
    let is_too_precise = (float == 0.0 && !is_zero) || (!is_integer && significant_digits(mantissa) > MAX_FLOAT_DIGITS);
    is_too_precise.then_some(TOO_PRECISE)
}

/// The number of digits, without zeros at both ends.
fn significant_digits(mantissa: &str) -> usize {
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_start_matches('0').trim_end_matches('0').len()
}

/// Whether a text is a valid JSON number.
fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    all_digits(whole) && (whole == "0" || !whole.starts_with('0')) && all_digits(fraction) && all_digits(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value as Json;

    fn marked(json: &str) -> String {
        String::from_utf8(with_markers(json.as_bytes()).into_owned()).unwrap()
    }

    #[test]
    fn numbers_that_a_float_cannot_hold_are_replaced() {
        let fine = format!("12.{}1", "0".repeat(70));
        for (number, mark) in [
            ("1e309", TOO_LARGE),
            ("-1E+400", "-1.7976931348623157e308"),
            (&"9".repeat(400), TOO_LARGE),
            ("1e-324", TOO_PRECISE),
            ("-1e-400", "-5e-324"),
            (&fine, TOO_PRECISE),
            ("0.1000000000000000055511151231257827", TOO_PRECISE),
            ("12345678901234567.89", TOO_PRECISE),
        ] {
            assert_eq!(marked(&format!(r#"{{"a":[{number},1.5]}}"#)), format!(r#"{{"a":[{mark},1.5]}}"#));
        }
        for number in [
            "0.10000000000000001",
            "12.50000000000000000000000000",
            "0.000000000000000000000000125",
            "100000000000000000000000.0",
            "18446744073709551615",
            "99999999999999999999",
            "0e400",
            "0.00000000000000000000",
            "1e300",
            "-0.0",
            "5000.00",
        ] {
            assert_eq!(marked(number), number);
        }
    }

    #[test]
    fn strings_and_invalid_json_stay_unchanged() {
        for json in [r#"{"1e309":"1e309 \" 1e309","b":"\\"}"#, "01e309", "1e", "1.e309", "--1e309", "\"1e309", "\"\\"] {
            assert_eq!(marked(json), json);
        }
        assert_eq!(marked(r#"["\\",1e309]"#), format!(r#"["\\",{TOO_LARGE}]"#));
    }

    proptest! {
        /// Floats in every notation stay unchanged.
        #[test]
        fn floats_and_integers_stay(float in any::<f64>(), integer in any::<i64>()) {
            prop_assume!(float.is_finite() && !is_marker(float));
            let json = serde_json::to_string(&(float, integer, format!("{float:?}"))).unwrap();
            prop_assert_eq!(marked(&json), json);
        }

        #[test]
        fn other_bytes_stay(json in proptest::collection::vec(any::<u8>(), 0..40)) {
            if serde_json::from_slice::<Json>(&json).is_ok() {
                prop_assert_eq!(with_markers(&json).into_owned(), json);
            } else {
                let _ = with_markers(&json);
            }
        }
    }
}
