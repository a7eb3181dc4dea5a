//! Request headers: `If-Match`, `If-None-Match`, and those that may be sent only once.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH};
use domain::kernel::input::Problems;
use domain::kernel::versions::ExpectedVersion;

/// What an operation reads from the request headers.
pub trait Headers: Sized {
    /// Whether `Idempotency-Key` is among them.
    const TAKES_IDEMPOTENCY_KEY: bool = false;
    /// Whether `If-Match` is among them.
    const TAKES_EXPECTED_VERSION: bool = false;

    /// Parses the headers and collects all errors in `problems`.
    fn read(headers: &HeaderMap, problems: &mut Problems) -> Self;
}

/// The value of a header that was sent exactly once.
pub(crate) fn only_value<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a HeaderValue> {
    let mut values = headers.get_all(name);
    values.next().filter(|_| values.next().is_none())
}

impl Headers for () {
    fn read(_: &HeaderMap, _: &mut Problems) -> Self {}
}

/// `If-Match`.
impl Headers for ExpectedVersion {
    const TAKES_EXPECTED_VERSION: bool = true;

    fn read(headers: &HeaderMap, problems: &mut Problems) -> Self {
        match tags(headers, &IF_MATCH, "If-Match", problems) {
            None | Some(Tags::Any) => Self::Any,
            // Neither weak tags nor tags that the service did not issue match here.
            Some(Tags::List(list)) => {
                Self::OneOf(list.into_iter().filter(|tag| !tag.weak).filter_map(|tag| tag.version).collect())
            }
        }
    }
}

/// `If-None-Match`.
#[derive(Debug, Default)]
pub struct NoneMatch(Option<Tags>);

impl Headers for NoneMatch {
    fn read(headers: &HeaderMap, problems: &mut Problems) -> Self {
        Self(tags(headers, &IF_NONE_MATCH, "If-None-Match", problems))
    }
}

impl NoneMatch {
    /// Whether the client already has this version; weak and strong tags compare alike.
    pub(crate) fn has(&self, version: i64) -> bool {
        match &self.0 {
            None => false,
            Some(Tags::Any) => true,
            Some(Tags::List(list)) => list.iter().any(|tag| tag.version == Some(version)),
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Tags {
    Any,
    List(Vec<Tag>),
}

#[derive(Debug, PartialEq, Eq)]
struct Tag {
    weak: bool,
    /// `None` for a tag that the service did not issue.
    version: Option<i64>,
}

/// The tags of all lines of a header; `None` if it is absent.
fn tags(headers: &HeaderMap, name: &HeaderName, display_name: &'static str, problems: &mut Problems) -> Option<Tags> {
    let lines: Vec<_> = headers.get_all(name).map(HeaderValue::as_bytes).collect();
    if lines.is_empty() {
        return None;
    }
    let parsed = parse(&lines.join(&b","[..]));
    if parsed.is_none() {
        problems.shape(display_name, "invalid_value", "must be * or a list of entity tags such as \"3\"");
    }
    parsed
}

fn parse(text: &[u8]) -> Option<Tags> {
    if text.trim_ascii() == b"*" {
        return Some(Tags::Any);
    }
    let mut list = Vec::new();
    let mut rest = text.trim_ascii();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(b",") {
            rest = after.trim_ascii_start();
            continue;
        }
        let (tag, after) = parse_tag(rest)?;
        list.push(tag);
        rest = after.trim_ascii_start();
        // Two tags must be separated by a comma.
        if !rest.is_empty() && rest[0] != b',' {
            return None;
        }
    }
    (!list.is_empty()).then_some(Tags::List(list))
}

fn parse_tag(text: &[u8]) -> Option<(Tag, &[u8])> {
    let (weak, text) = text.strip_prefix(b"W/").map_or((false, text), |after| (true, after));
    let text = text.strip_prefix(b"\"")?;
    let end = text.iter().position(|byte| *byte == b'"')?;
    let opaque = &text[..end];
    let printable = |byte: &u8| *byte > 0x20 && *byte != 0x7f;
    opaque.iter().all(printable).then(|| (Tag { weak, version: version_of(opaque) }, &text[end + 1..]))
}

/// The version of a tag, if the tag has exactly the form that responses use.
fn version_of(opaque: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(opaque).ok()?;
    let version: i64 = text.parse().ok()?;
    (version.to_string() == text).then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &HeaderName, lines: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(name.clone(), HeaderValue::from_bytes(line.as_bytes()).unwrap());
        }
        headers
    }

    fn expected(lines: &[&str]) -> Option<ExpectedVersion> {
        let mut problems = Problems::default();
        let expected = ExpectedVersion::read(&headers(&IF_MATCH, lines), &mut problems);
        problems.is_empty().then_some(expected)
    }

    #[test]
    fn if_match_takes_strong_version_tags() {
        let one_of = |versions: &[i64]| Some(ExpectedVersion::OneOf(versions.to_vec()));
        for (lines, result) in [
            (&[][..], Some(ExpectedVersion::Any)),
            (&["*"], Some(ExpectedVersion::Any)),
            (&["\"3\""], one_of(&[3])),
            (&["\"3\", \"4\""], one_of(&[3, 4])),
            (&["\"3\",, \"4\","], one_of(&[3, 4])),
            (&["\"3\"", "\"4\""], one_of(&[3, 4])),
            (&["W/\"3\""], one_of(&[])),
            (&["\"abc\", \"03\", \"+3\", \"a,b\", \"\""], one_of(&[])),
            (&["\"99999999999999999999\""], one_of(&[])),
            (&["\u{22}\u{e4}\u{22}"], one_of(&[])),
            (&["3"], None),
            (&["\"3"], None),
            (&["\"3\" \"4\""], None),
            (&["\"3\", *"], None),
            (&["\"a b\""], None),
            (&["w/\"3\""], None),
            (&[""], None),
            (&[","], None),
        ] {
            assert_eq!(expected(lines), result, "{lines:?}");
        }
    }

    #[test]
    fn if_none_match_compares_weakly() {
        for (line, has) in [
            ("\"3\"", true),
            ("W/\"3\"", true),
            ("\"2\", W/\"3\"", true),
            ("*", true),
            ("\"2\"", false),
            ("\"x\"", false),
        ] {
            let mut problems = Problems::default();
            let none_match = NoneMatch::read(&headers(&IF_NONE_MATCH, &[line]), &mut problems);
            assert!(problems.is_empty());
            assert_eq!(none_match.has(3), has, "{line}");
        }
        assert!(!NoneMatch::default().has(3));
    }
}
