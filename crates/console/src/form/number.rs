//! Numbers as users type them.

use domain::kernel::input::json::{self, Json};

/// The number of digits in a group. A comma before this many digits can separate thousands or decimals.
const GROUP: usize = 3;

/// A number with a decimal point or comma. `None` for other texts and for ambiguous numbers: `1,234` is more than a
/// thousand to some readers, and little more than one to others.
pub(super) fn of(text: &str) -> Option<Json> {
    let parsed = |text: &str| json::number(text).map(Json::Number);
    let Some((whole, decimals)) = text.split_once(',') else { return parsed(text) };
    let is_plain = !decimals.is_empty() && decimals.bytes().all(|byte| byte.is_ascii_digit()) && !whole.contains('.');
    (is_plain && decimals.len() != GROUP).then(|| parsed(&format!("{whole}.{decimals}")))?
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn unambiguous_decimal_commas_are_read() {
        for (typed, number) in [
            ("12,5", Some(json!(12.5))),
            ("12.50", Some(json!(12.50))),
            ("-0,25", Some(json!(-0.25))),
            ("1234", Some(json!(1234))),
            ("1,234", None),
            ("1.234,50", None),
            ("1,234.50", None),
            ("1,234,567", None),
            ("1 234,50", None),
            ("12,", None),
            (",5", None),
            ("much", None),
            ("true", None),
        ] {
            assert_eq!(of(typed), number, "{typed}");
        }
    }
}
