//! Reads a receiver's response.

use std::time::SystemTime;

use domain::webhooks::{MAX_HEADER_VALUE_BYTES, MAX_STORED_RESPONSE_BYTES};
use http_body_util::BodyExt;
use hyper::HeaderMap;
use hyper::body::Incoming;
use hyper::header::RETRY_AFTER;
use time::{Duration, OffsetDateTime};

/// Larger values are capped. They are far beyond any delay that is honoured, and could overflow.
const MAX_RETRY_AFTER_SECONDS: u64 = 366 * 86_400;

/// The delay in `Retry-After`: seconds or a date.
pub(crate) fn retry_after(headers: &HeaderMap, now: OffsetDateTime) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // Only overflow makes this fail.
        let seconds = text.parse().unwrap_or(MAX_RETRY_AFTER_SECONDS).min(MAX_RETRY_AFTER_SECONDS);
        return Some(Duration::seconds(seconds.cast_signed()));
    }
    let date: SystemTime = httpdate::parse_http_date(text).ok()?;
    Some((OffsetDateTime::from(date) - now).max(Duration::ZERO))
}

/// Replaces a header value in a stored response.
const REDACTED: &str = "[header value]";
/// Shorter values are not secrets and may occur in any text.
const SECRET_LENGTH: usize = 6;
/// How much of a body is read: the part that is stored, plus a header value that begins just before its end.
const READ_BYTES: usize = MAX_STORED_RESPONSE_BYTES + MAX_HEADER_VALUE_BYTES;

/// Reads a prefix of the body into `prefix` and stops, because the body may be endless. Returns whether that was the whole body, so
/// that the connection can be reused.
pub(crate) async fn read_prefix(body: &mut Incoming, prefix: &mut Vec<u8>) -> bool {
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return false };
        let Some(data) = frame.data_ref() else { continue };
        let room = READ_BYTES - prefix.len();
        prefix.extend(data.iter().take(room));
        if data.len() > room {
            return false;
        }
    }
    true
}

/// The text to store for the bytes read, without control characters; `None` for an empty body. Occurrences of the header values
/// `sent` are redacted, in case the receiver repeats the request.
pub(crate) fn stored_text<'a>(bytes: &[u8], sent: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let is_harmless = |character: char| !character.is_control() || matches!(character, '\n' | '\r' | '\t');
    let mut text = String::from_utf8_lossy(bytes).replace(|character| !is_harmless(character), "\u{fffd}");
    let mut sent: Vec<_> = sent.into_iter().filter(|value| value.len() >= SECRET_LENGTH).collect();
    // Longest first, because one value may be a prefix of another.
    sent.sort_by_key(|value| std::cmp::Reverse(value.len()));
    for value in sent {
        text = text.replace(value, REDACTED);
    }
    // A replacement character is longer than the byte it replaces.
    text.truncate(text.floor_char_boundary(MAX_STORED_RESPONSE_BYTES));
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    const NOW: OffsetDateTime = datetime!(2030-01-01 00:00 UTC);

    fn delay(value: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, value.parse().unwrap());
        retry_after(&headers, NOW)
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        assert_eq!(delay("120"), Some(Duration::minutes(2)));
        assert_eq!(delay(" 0 "), Some(Duration::ZERO));
        assert_eq!(delay("Tue, 01 Jan 2030 00:07:00 GMT"), Some(Duration::minutes(7)));
        assert_eq!(delay("Mon, 31 Dec 2029 00:00:00 GMT"), Some(Duration::ZERO), "the past");
        assert_eq!(delay("99999999999999999999999"), Some(Duration::days(366)));
        for nonsense in ["", "-1", "1.5", "soon", "1e9", "Tue, 99 Jan 2030 00:07:00 GMT"] {
            assert_eq!(delay(nonsense), None, "{nonsense}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), NOW), None);
    }

    #[test]
    fn header_values_of_the_request_are_not_stored() {
        let sent = ["Bearer abc", "Bearer abcdef", "1"];
        let echo = br#"{"Authorization": "Bearer abcdef", "X-Other": "Bearer abc", "n": 1}"#;
        let stored = stored_text(echo, sent).unwrap();
        assert_eq!(stored, r#"{"Authorization": "[header value]", "X-Other": "[header value]", "n": 1}"#);
        // A value that begins before the end of the stored part and ends after it.
        let long = "s".repeat(MAX_HEADER_VALUE_BYTES);
        let body = format!("{}{long}", "x".repeat(MAX_STORED_RESPONSE_BYTES - 5));
        let stored = stored_text(body.as_bytes(), [&*long]).unwrap();
        assert!(!stored.contains('s') && stored.len() == MAX_STORED_RESPONSE_BYTES, "{stored}");
    }

    #[test]
    fn stored_text_is_harmless_and_short() {
        assert_eq!(stored_text(b"", []), None);
        assert_eq!(stored_text(b"ok\r\n\tfine", []).unwrap(), "ok\r\n\tfine");
        assert_eq!(stored_text(b"a\0b\x1b[31m\x7f", []).unwrap(), "a\u{fffd}b\u{fffd}[31m\u{fffd}");
        assert_eq!(stored_text(b"\xff\xfe", []).unwrap(), "\u{fffd}\u{fffd}");
        let stored = stored_text(&[0; MAX_STORED_RESPONSE_BYTES], []).unwrap();
        assert!(stored.len() <= MAX_STORED_RESPONSE_BYTES && stored.chars().all(|character| character == '\u{fffd}'));
        let cut = format!("{}é", "a".repeat(MAX_STORED_RESPONSE_BYTES - 1));
        let stored = stored_text(&cut.as_bytes()[..MAX_STORED_RESPONSE_BYTES], []).unwrap();
        assert!(stored.len() <= MAX_STORED_RESPONSE_BYTES, "{}", stored.len());
    }
}
