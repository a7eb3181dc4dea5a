//! Web addresses. Schemes are stored in lower case, because they are case-insensitive.

use serde_json::{Value as Json, json};
use url::Url;

use super::text::{narrow, narrow_lines};
use super::{Problems, Read, Value};

const GITHUB: &str = "https://github.com/";

narrow_lines! {
    /// An `http` or `https` URL of at most 500 characters.
    WebUrl(500, with_plain_scheme, is_web_url, "invalid_url", "must be a URL that starts with https:// or http://",
        json!({ "type": "string", "format": "uri", "maxLength": 500 }));
    /// A URL on github.com.
    GithubUrl(500, with_plain_host, is_github_url, "invalid_url", "must be a URL that starts with https://github.com/",
        json!({ "type": "string", "format": "uri", "maxLength": 500 }));
    /// The URL that a webhook sends to, which has additional rules.
    TargetUrl(2_000, with_plain_scheme, |_| true, "invalid_url", "must be a URL", json!({ "type": "string", "maxLength": 2_000 }));
}

/// Lower-cases the scheme of a web URL; other texts stay unchanged.
fn with_plain_scheme(text: &str) -> String {
    let plain = ["https://", "http://"].into_iter().find_map(|scheme| Some((scheme, without_prefix(text, scheme)?)));
    plain.map_or_else(|| text.to_owned(), |(scheme, rest)| format!("{scheme}{rest}"))
}

/// Lower-cases the scheme and host of a URL on github.com.
fn with_plain_host(text: &str) -> String {
    without_prefix(text, GITHUB).map_or_else(|| text.to_owned(), |path| format!("{GITHUB}{path}"))
}

fn is_web_url(text: &str) -> bool {
    let has_scheme = without_prefix(text, "https://").or_else(|| without_prefix(text, "http://")).is_some();
    has_scheme && Url::parse(text).is_ok() && !text.contains(char::is_whitespace)
}

fn is_github_url(text: &str) -> bool {
    without_prefix(text, GITHUB).is_some_and(|path| !path.is_empty() && !path.starts_with('/')) && is_web_url(text)
}

/// The rest of a text after an ASCII prefix, in any case; `None` if it has another prefix.
fn without_prefix<'a>(text: &'a str, beginning: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(beginning.len())?;
    start.eq_ignore_ascii_case(beginning).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored<T: Value + Into<String>>(text: &str) -> Option<String> {
        T::read(text.into(), "f", &mut Problems::default()).value().map(Into::into)
    }

    #[test]
    fn schemes_are_http_or_https_in_any_case() {
        for (text, expected) in [
            ("https://www.linkedin.com/in/x", Some("https://www.linkedin.com/in/x")),
            ("Https://Acme.example/A", Some("https://Acme.example/A")),
            ("HTTP://acme.example?to=HTTPS://b", Some("http://acme.example?to=HTTPS://b")),
            (" \u{202a}https://acme.example\u{202c}", Some("https://acme.example")),
            ("javascript:alert(1)", None),
            ("JavaScript://acme.example/%0aalert(1)", None),
            ("linkedin.com/in/x", None),
            ("https://", None),
            ("httpſ://acme.example", None),
            ("https://a b.example", None),
        ] {
            assert_eq!(stored::<WebUrl>(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_host_of_github_may_be_in_any_case() {
        for (text, expected) in [
            ("https://github.com/a/b", Some("https://github.com/a/b")),
            ("HTTPS://GitHub.com/Acme/B", Some("https://github.com/Acme/B")),
            ("http://github.com/a/b", None),
            ("https://github.com/", None),
            ("https://github.com.evil.example/a", None),
        ] {
            assert_eq!(stored::<GithubUrl>(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_scheme_of_a_target_is_lower_cased_and_the_rest_is_kept() {
        assert_eq!(stored::<TargetUrl>("HTTPS://Example.com/Hook").as_deref(), Some("https://Example.com/Hook"));
        assert_eq!(stored::<TargetUrl>("FTP://example.com").as_deref(), Some("FTP://example.com"));
        assert_eq!(stored::<TargetUrl>(&format!("https://{}", "a".repeat(1_993))), None);
    }
}
