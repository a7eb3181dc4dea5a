//! Checks that a body is declared as JSON.

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use actix_web::mime::{self, Mime};

use crate::conditions::only_value;
use crate::errors::HttpError;

/// Checks `Content-Type` and `Content-Encoding`. Fails with [`HttpError::UnsupportedMediaType`] for anything but
/// uncompressed JSON in UTF-8.
pub(crate) fn check(headers: &HeaderMap) -> Result<(), HttpError> {
    let is_json = only_value(headers, &CONTENT_TYPE).is_some_and(|only| only.to_str().is_ok_and(is_json));
    if !is_json {
        return Err(HttpError::UnsupportedMediaType(
            "send the body as JSON in UTF-8, with Content-Type: application/json",
        ));
    }
    let is_plain = headers
        .get_all(CONTENT_ENCODING)
        .all(|value| value.to_str().is_ok_and(|coding| coding.trim().eq_ignore_ascii_case("identity")));
    if !is_plain {
        return Err(HttpError::UnsupportedMediaType("send the body without Content-Encoding"));
    }
    Ok(())
}

/// Checks that a body is declared as a form. Fails with [`HttpError::UnsupportedMediaType`] for anything else.
pub(crate) fn check_form(headers: &HeaderMap) -> Result<(), HttpError> {
    let kind = only_value(headers, &CONTENT_TYPE).and_then(|only| only.to_str().ok()?.parse::<Mime>().ok());
    if kind.is_some_and(|kind| kind.essence_str() == mime::APPLICATION_WWW_FORM_URLENCODED) {
        return Ok(());
    }
    Err(HttpError::UnsupportedMediaType("send the form as application/x-www-form-urlencoded"))
}

/// Whether the value is `application/json`, with any parameters but a charset that is not UTF-8.
fn is_json(value: &str) -> bool {
    let parsed = || {
        value.parse::<Mime>().is_ok_and(|kind| {
            kind.essence_str() == mime::APPLICATION_JSON
                && kind.get_param(mime::CHARSET).is_none_or(|charset| charset == mime::UTF_8)
        })
    };
    // The common value skips parsing, which allocates.
    value == mime::APPLICATION_JSON || parsed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    #[test]
    fn only_json_in_utf_8() {
        for (value, good) in [
            ("application/json", true),
            ("Application/JSON", true),
            ("application/json;", true),
            ("application/json; charset=utf-8", true),
            ("application/json;charset=\"UTF-8\"", true),
            ("application/json; profile=x", true),
            ("application/json; charset=latin1", false),
            ("application/json; charset=\"utf-8", false),
            ("application/json; nonsense", false),
            ("application/json5", false),
            ("application/merge-patch+json", false),
            ("text/json", false),
            ("", false),
        ] {
            assert_eq!(is_json(value), good, "{value}");
        }
    }

    #[test]
    fn one_content_type_and_no_content_encoding() {
        let mut headers = HeaderMap::new();
        assert!(check(&headers).is_err());
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        assert!(check(&headers).is_ok());
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("Identity"));
        assert!(check(&headers).is_ok());
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        assert!(check(&headers).is_err());
        headers.remove(CONTENT_ENCODING);
        headers.append(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        assert!(check(&headers).is_err());
        headers.insert(CONTENT_TYPE, HeaderValue::from_bytes(b"\xff").unwrap());
        assert!(check(&headers).is_err());
    }
}
