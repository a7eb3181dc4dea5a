//! Strict `application/x-www-form-urlencoded`: rejects what lenient parsers repair.

use percent_encoding::percent_decode_str;

/// One query parameter.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// `None` if it cannot be decoded.
    pub(crate) name: Option<String>,
    /// `None` if it cannot be decoded.
    pub(crate) value: Option<String>,
}

/// Splits a query into its parameters, in order, and skips empty ones.
pub(crate) fn pairs(raw: &str) -> impl Iterator<Item = Pair> + '_ {
    raw.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        Pair { name: decode(name), value: decode(value) }
    })
}

fn decode(text: &str) -> Option<String> {
    let is_escape =
        |rest: &str| rest.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
    // The library keeps invalid escapes verbatim; reject them.
    if !text.split('%').skip(1).all(is_escape) {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len());
    for (index, part) in text.split('+').enumerate() {
        if index > 0 {
            bytes.push(b' ');
        }
        bytes.extend(percent_decode_str(part));
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_is_strict() {
        for (text, decoded) in [
            ("", Some("")),
            ("a+b%20c", Some("a b c")),
            ("%2B%26%3d", Some("+&=")),
            ("%C3%A4\u{e4}", Some("\u{e4}\u{e4}")),
            ("%00", Some("\0")),
            ("%", None),
            ("%2", None),
            ("%zz", None),
            ("%+1", None),
            ("%\u{e4}", None),
            ("%ff", None),
            ("%c3", None),
        ] {
            assert_eq!(decode(text).as_deref(), decoded, "{text}");
        }
    }

    #[test]
    fn pairs_keep_their_order_and_repeat() {
        let parameters: Vec<_> = pairs("a=1&&b&a=2=3&=x&%ff=1&c=%ff&").map(|pair| (pair.name, pair.value)).collect();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(
            parameters,
            [
                (text("a"), text("1")),
                (text("b"), text("")),
                (text("a"), text("2=3")),
                (text(""), text("x")),
                (None, text("1")),
                (text("c"), None),
            ]
        );
        assert_eq!(pairs("").count(), 0);
    }
}
