//! Proof that a form was sent from one of our own pages (interface 26.31).
//!
//! Three independent checks: the cookie is `SameSite=Lax`, the browser says where the request came from, and the form
//! has a token that only our pages can know.

use actix_web::HttpRequest;
use actix_web::http::header::{HOST, HeaderMap, ORIGIN};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::ports::Random;
use ring::hmac;

/// The name of the token in forms.
pub(crate) const FORM_TOKEN: &str = "_token";
/// The header by which scripts send it.
pub(crate) const TOKEN_HEADER: &str = "x-form-token";
const MASK_BYTES: usize = 16;

/// Whether the browser says that the request comes from a page of this host. Browsers that say nothing are refused.
pub(crate) fn is_own_origin(request: &HttpRequest, public_url: &str) -> bool {
    let headers = request.headers();
    if let Some(site) = text(headers, "sec-fetch-site") {
        return site == "same-origin";
    }
    let Some((_, authority)) = text(headers, ORIGIN.as_str()).and_then(|origin| origin.split_once("://")) else {
        return false;
    };
    let own = public_url.split_once("://").map(|(_, rest)| rest.trim_end_matches('/'));
    text(headers, HOST.as_str()) == Some(authority) || own == Some(authority)
}

/// Whether the browser says that another site, or another host of this one, leads to the page: a link or a form there can open
/// it with the cookies of whoever follows it. What was typed, or comes from a browser that says nothing, is not.
pub(crate) fn is_led_by_others(request: &HttpRequest) -> bool {
    request.headers().get_all("sec-fetch-site").any(|site| matches!(site.as_bytes(), b"cross-site" | b"same-site"))
}

/// The text of the only header of this name.
fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name);
    match (values.next(), values.next()) {
        (Some(only), None) => only.to_str().ok(),
        _ => None,
    }
}

/// A new token of a browser whose session or visit has this secret. It differs on every page, so that compressed pages
/// say nothing about it.
pub(crate) fn new_token(secret: &str, random: &dyn Random) -> String {
    let mut mask = [0; MASK_BYTES];
    random.fill(&mut mask);
    let tag = hmac::sign(&key(secret), &mask);
    URL_SAFE_NO_PAD.encode([&mask, tag.as_ref()].concat())
}

/// Whether the token was made for this secret.
pub(crate) fn is_valid(token: &str, secret: &str) -> bool {
    let Ok(bytes) = URL_SAFE_NO_PAD.decode(token) else { return false };
    let Some((mask, tag)) = bytes.split_at_checked(MASK_BYTES) else { return false };
    hmac::verify(&key(secret), mask, tag).is_ok()
}

fn key(secret: &str) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, format!("form of {secret}").as_bytes())
}
