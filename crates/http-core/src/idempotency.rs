//! `Idempotency-Key`, which makes a POST idempotent.

use actix_web::http::header::HeaderMap;
use domain::Error;
use domain::kernel::idempotency::parse_key;
use domain::kernel::input::Problems;
use ring::digest::{Context, SHA256};

use crate::body::add_details;
use crate::conditions::Headers;

const NAME: &str = "Idempotency-Key";

/// The client's key, if it sent one.
#[derive(Debug)]
pub struct IdempotencyKey(pub Option<String>);

impl Headers for IdempotencyKey {
    const TAKES_IDEMPOTENCY_KEY: bool = true;

    fn read(headers: &HeaderMap, problems: &mut Problems) -> Self {
        let mut values = headers.get_all(NAME);
        let parsed = match (values.next(), values.next()) {
            (None, _) => return Self(None),
            // Invalid UTF-8 is reported like unprintable characters.
            (Some(value), None) => parse_key(NAME, value.to_str().unwrap_or_default()),
            (Some(_), Some(_)) => Err(Error::malformed(NAME, "invalid_value", "must not be sent more than once")),
        };
        if let Err(error) = &parsed {
            add_details(problems, error);
        }
        Self(parsed.ok())
    }
}

/// SHA-256 over the parts of a request, each preceded by its length so that different lists of parts never hash alike.
pub fn fingerprint(parts: [&[u8]; 3]) -> [u8; 32] {
    let mut context = Context::new(&SHA256);
    for part in parts {
        context.update(&(part.len() as u64).to_be_bytes());
        context.update(part);
    }
    let mut hash = [0; 32];
    hash.copy_from_slice(context.finish().as_ref());
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::{HeaderName, HeaderValue};

    fn read(values: &[&[u8]]) -> Result<Option<String>, Error> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(HeaderName::from_static("idempotency-key"), HeaderValue::from_bytes(value).unwrap());
        }
        let mut problems = Problems::default();
        let key = IdempotencyKey::read(&headers, &mut problems);
        problems.into_result().map(|()| key.0)
    }

    #[test]
    fn a_key_is_printable_and_sent_once() {
        assert_eq!(read(&[]).unwrap(), None);
        assert_eq!(read(&[b"abc 1"]).unwrap().as_deref(), Some("abc 1"));
        assert_eq!(read(&[&[b'x'; 255]]).unwrap().map(|key| key.len()), Some(255));
        for bad in [&[&b""[..]][..], &[&[b'x'; 256]], &[b"\xff"], &[b"a\tb"], &[b"a", b"a"]] {
            assert!(read(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn part_boundaries_change_the_fingerprint() {
        assert_eq!(fingerprint([b"a", b"b", b"c"]), fingerprint([b"a", b"b", b"c"]));
        assert_ne!(fingerprint([b"a", b"bc", b""]), fingerprint([b"a", b"b", b"c"]));
        assert_ne!(fingerprint([b"ab", b"", b"c"]), fingerprint([b"a", b"b", b"c"]));
    }
}
