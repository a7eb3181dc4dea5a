//! The bearer credential of a request.

use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use domain::Error;

use crate::conditions::only_value;

/// Returns the text after `Bearer` in the only `Authorization` header. Fails with [`Error::Unauthorized`] for every
/// other form.
pub(crate) fn bearer(headers: &HeaderMap) -> Result<&str, Error> {
    let text = only_value(headers, &AUTHORIZATION).and_then(|only| only.to_str().ok());
    let (scheme, credential) = text.and_then(|text| text.split_once(' ')).ok_or(Error::Unauthorized)?;
    let credential = credential.trim_start_matches(' ');
    if scheme.eq_ignore_ascii_case("bearer") { Ok(credential) } else { Err(Error::Unauthorized) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    #[test]
    fn exactly_one_bearer_header_is_accepted() {
        for (values, expected) in [
            (&["Bearer abc"][..], Some("abc")),
            (&["bEARER  abc"], Some("abc")),
            (&["Bearer abc x"], Some("abc x")),
            (&["Basic abc"], None),
            (&["Bearer"], None),
            (&["abc"], None),
            (&[], None),
            (&["Bearer abc", "Bearer abc"], None),
            (&["Bearer \u{e4}"], None),
        ] {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(AUTHORIZATION, HeaderValue::from_bytes(value.as_bytes()).unwrap());
            }
            assert_eq!(bearer(&headers).ok(), expected, "{values:?}");
        }
    }
}
