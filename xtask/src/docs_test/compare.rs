//! Compares a command's output with the output that a page shows.

use std::sync::LazyLock;

use regex_lite::Regex;

/// Matches any text in the output that a page shows.
const ELLIPSIS: char = '…';

/// Patterns of values that differ between runs, with their placeholders.
const VARIABLE: &[(&str, &str)] = &[
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", "TIME"),
    // Dates of HTTP headers.
    (r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", "TIME"),
    // Keys, tokens, webhook secrets and cursors of the event log.
    (r"\b(svc|sv[a-z]|whsec|evc|wdg|ptl)_[0-9A-Za-z+/=_-]{16,}", "SECRET"),
    (r"TKT-[0-9A-Z]{10}", "REFERENCE"),
    (r#""nextCursor":\s*"[^"]+""#, "\"nextCursor\":\"CURSOR\""),
    (r"v1[,=][0-9A-Za-z+/=]{40,}", "SIGNATURE"),
    (r"127\.0\.0\.1:\d+", "ADDRESS"),
];

static PATTERNS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let compiled = VARIABLE.iter().filter_map(|(pattern, name)| Some((Regex::new(pattern).ok()?, *name)));
    compiled.collect()
});

/// Whether an output matches the shown one, apart from line breaks and values that differ between runs.
pub(super) fn is_as_shown(output: &str, shown: &str) -> bool {
    let (output, shown) = (comparable(output), comparable(shown));
    let mut parts = shown.split(ELLIPSIS);
    let Some(mut rest) = parts.next().and_then(|first| output.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

/// The text with placeholders for values that differ between runs, and without white space, since pages break long lines.
fn comparable(text: &str) -> String {
    let mut text = text.to_owned();
    for (pattern, name) in PATTERNS.iter() {
        text = pattern.replace_all(&text, *name).into_owned();
    }
    text.retain(|character| !character.is_whitespace());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(PATTERNS.len(), VARIABLE.len());
    }

    #[test]
    fn ids_times_and_secrets_may_differ() {
        let shown = r#"{"id":"01a1fcb4-7429-72bc-a304-e5918cfdc6fa","at":"2026-11-21T06:04:07.081397Z","n":1}"#;
        let output = r#"{"id":"02b1fcb4-7429-72bc-a304-e5918cfdc6fb","at":"2027-01-01T00:00:00Z","n":1}"#;
        assert!(is_as_shown(output, shown));
        assert!(!is_as_shown(&output.replace("\"n\":1", "\"n\":2"), shown));
        assert!(is_as_shown("svc_dA3n65sanl4yWWkiTTnNtYOuFHUhMPZgUiNEIFXvwWNz0PfH6q", "svc_AAAAAAAAAAAAAAAAAAAAAA"));
    }

    #[test]
    fn an_ellipsis_matches_any_text() {
        assert!(is_as_shown("{\"a\":1,\"b\":2}\n", "{\"a\":…,\"b\":2}"));
        assert!(is_as_shown("abc", "…c"));
        assert!(is_as_shown("abc", "a…"));
        assert!(is_as_shown("a1b2c", "a…b…c"));
        assert!(!is_as_shown("abc", "a…d"));
        assert!(!is_as_shown("abc", "b…"));
        assert!(!is_as_shown("abcd", "abc"));
        assert!(!is_as_shown("", "a"));
    }

    #[test]
    fn line_breaks_do_not_matter() {
        assert!(is_as_shown("{\"a\": 1, \"b\": 2}", "{\"a\": 1,\n \"b\": 2}\n"));
    }
}
