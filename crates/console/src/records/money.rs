//! Amounts of money.

use iso_currency::Currency;

/// Formats an amount in the style of its currency, such as `€1,234.50`.
pub(crate) fn money(amount: &str, currency: &str) -> String {
    let known = Currency::from_code(currency);
    let digits = known.and_then(Currency::exponent).map_or(2, usize::from);
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
    let fraction = fraction.trim_end_matches('0');
    let fraction = if fraction.is_empty() && digits == 0 { String::new() } else { format!(".{fraction:0<digits$}") };
    let symbol = known.filter(|_| WITH_SYMBOL.contains(&currency)).map(|known| known.symbol().to_string());
    let symbol = symbol.unwrap_or_else(|| format!("{currency}\u{a0}"));
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    format!("{sign}{symbol}{}{fraction}", grouped(whole))
}

/// Currencies with an unambiguous symbol. Many dollars and krones share theirs.
const WITH_SYMBOL: [&str; 9] = ["EUR", "GBP", "ILS", "INR", "JPY", "KRW", "UAH", "USD", "VND"];

/// The digits of a number with thousands separators.
pub(crate) fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_formatted_by_currency() {
        for (amount, currency, shown) in [
            ("1234.5", "EUR", "€1,234.50"),
            ("0", "USD", "$0.00"),
            ("1234567", "JPY", "¥1,234,567"),
            ("999.99", "CHF", "CHF\u{a0}999.99"),
            ("12", "XXQ", "XXQ\u{a0}12.00"),
            ("-1000", "GBP", "-£1,000.00"),
        ] {
            assert_eq!(money(amount, currency), shown);
        }
    }
}
