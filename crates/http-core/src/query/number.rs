//! Numbers in a query.

use rust_decimal::Decimal;

/// Maximum length, in bytes.
const MAX_LENGTH: usize = 30;

/// Digits with an optional sign and an optional point between digits.
pub(super) fn parse_number(text: &str) -> Option<Decimal> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (text.len() <= MAX_LENGTH && all_digits(whole) && all_digits(fraction))
        .then(|| Decimal::from_str_exact(text).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_plain() {
        for (text, good) in [
            ("0", true),
            ("-0.5", true),
            ("+12", true),
            ("999999999999.99", true),
            ("1234567890123456789012345678", true),
            ("999999999999999999999999999999", false),
            ("1e3", false),
            (".5", false),
            ("5.", false),
            ("", false),
            ("-", false),
            ("--1", false),
            ("1_000", false),
            (" 1", false),
            ("0.00000000000000000000000000000000001", false),
            ("NaN", false),
        ] {
            assert_eq!(parse_number(text).is_some(), good, "{text}");
        }
    }
}
