//! Protection against cross-site request forgery (interface 26.31).
//!
//! Three independent checks: the cookie is `SameSite=Lax`, the browser says where the request came from, and the form
//! has a token that only our pages contain.

use actix_web::http::header::{HOST, HeaderMap, ORIGIN};
use actix_web::{HttpMessage, HttpRequest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::ports::Random;
use domain::{Error, UserId};
use http_core::AppState;
use http_core::errors::HttpError;
use ring::{digest, hmac};
use uuid::Uuid;

use crate::form::Form;
use crate::layout::Browser;
use crate::page::is_https;
use crate::recovery::KeptForm;
use crate::sessions;

pub(crate) const FORM_TOKEN: &str = "_token";
/// The header in which scripts send the token.
pub(crate) const TOKEN_HEADER: &str = "x-form-token";
const MASK_BYTES: usize = 16;

/// Whether the browser says that the request comes from a page of this host. Requests from browsers that do not say are
/// rejected.
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

/// Whether the browser says that another site, or another host of this site, links to the page. The link or form there
/// would use the cookies of the user who follows it. Typed addresses are accepted, and so are browsers that do not say.
pub(crate) fn is_linked_by_other_site(request: &HttpRequest) -> bool {
    request.headers().get_all("sec-fetch-site").any(|site| matches!(site.as_bytes(), b"cross-site" | b"same-site"))
}

/// The value of a header that occurs exactly once.
fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name);
    match (values.next(), values.next()) {
        (Some(only), None) => only.to_str().ok(),
        _ => None,
    }
}

/// Checks that the form was sent from one of our pages, opened in the session of the request.
///
/// # Errors
/// [`Error::Forbidden`]. The form is kept if its page belongs to another session.
pub(crate) fn check(
    request: &HttpRequest,
    state: &AppState,
    browser: &Browser,
    form: &Form,
    is_public: bool,
) -> Result<(), HttpError> {
    let is_own = is_own_origin(request, &state.ports.settings.public_url);
    // The steps of a sign-in are pages for visitors. A user with a session reaches them from a page by switching the
    // workspace.
    let sessions = if browser.caller.is_none() { sessions::secrets(request, state) } else { Vec::new() };
    // A form that was sent after its session ended is accepted in the next session of the same user.
    let visit = sessions::visit_of(request, is_https(state)).filter(|_| browser.caller.is_some());
    let is_known = |token: &str| {
        sessions.iter().chain([&browser.secret]).any(|secret| is_valid(token, secret))
            || visit.as_ref().is_some_and(|visit| is_of_person(token, visit, browser.user()))
    };
    if is_own && (is_public || token_in(request, form).is_some_and(is_known)) {
        return Ok(());
    }
    if is_own && browser.caller.is_some() {
        request.extensions_mut().insert(KeptForm(form.clone()));
    }
    let message = "this form was not sent from this site, or its page belongs to another session: open the page again";
    Err(Error::Forbidden(message.to_owned()).into())
}

/// The token that was sent with a form.
pub(crate) fn token_in<'a>(request: &'a HttpRequest, form: &'a Form) -> Option<&'a str> {
    let in_header = request.headers().get(TOKEN_HEADER).and_then(|value| value.to_str().ok());
    in_header.or_else(|| form.value(FORM_TOKEN))
}

/// A new token for the pages of this user, in a browser whose session or visit has this secret. It differs on every
/// page, so that the size of compressed pages reveals nothing about it.
pub(crate) fn new_token(secret: &str, person: Option<UserId>, random: &dyn Random) -> String {
    let mut mask = [0; MASK_BYTES];
    random.fill(&mut mask);
    let mut bytes = mask.to_vec();
    bytes.extend(person.iter().flat_map(|person| person.0.into_bytes()));
    let tag = hmac::sign(&key(secret), &bytes);
    bytes.extend_from_slice(tag.as_ref());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Whether the token was made for this secret.
pub(crate) fn is_valid(token: &str, secret: &str) -> bool {
    parts(token).is_some_and(|(signed, tag)| hmac::verify(&key(secret), &signed, &tag).is_ok())
}

/// Whether the token was made for this secret and this user, who must be known.
fn is_of_person(token: &str, secret: &str, person: Option<UserId>) -> bool {
    person.is_some() && person_of(token) == person && is_valid(token, secret)
}

/// The user that the token names. It can be trusted only if the token is valid.
pub(crate) fn person_of(token: &str) -> Option<UserId> {
    let (signed, _) = parts(token)?;
    Uuid::from_slice(signed.get(MASK_BYTES..)?).ok().map(UserId)
}

/// The signed bytes (a random value and the user, if known) and the signature.
fn parts(token: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut signed = URL_SAFE_NO_PAD.decode(token).ok()?;
    let tag = signed.split_off(signed.len().checked_sub(digest::SHA256_OUTPUT_LEN)?);
    Some((signed, tag))
}

fn key(secret: &str) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, format!("form of {secret}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Zeros;

    impl Random for Zeros {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(0);
        }
    }

    #[test]
    fn tokens_are_bound_to_a_secret_and_name_their_user() {
        let [ann, ben] = [1, 2].map(|number| UserId(Uuid::from_u128(number)));
        let token = new_token("visit", Some(ann), &Zeros);
        assert!(is_valid(&token, "visit") && !is_valid(&token, "session"));
        assert_eq!(person_of(&token), Some(ann));
        assert!(is_of_person(&token, "visit", Some(ann)));
        assert!(!is_of_person(&token, "visit", Some(ben)) && !is_of_person(&token, "session", Some(ann)));
        // The user is signed, too.
        let mut bytes = URL_SAFE_NO_PAD.decode(&token).unwrap();
        bytes[MASK_BYTES..MASK_BYTES + 16].copy_from_slice(ben.0.as_bytes());
        let forged = URL_SAFE_NO_PAD.encode(bytes);
        assert!(person_of(&forged) == Some(ben) && !is_of_person(&forged, "visit", Some(ben)));

        let of_nobody = new_token("visit", None, &Zeros);
        assert!(is_valid(&of_nobody, "visit") && person_of(&of_nobody).is_none());
        assert!(!is_of_person(&of_nobody, "visit", None) && !is_of_person(&of_nobody, "visit", Some(ann)));
        for text in ["", "AAAA", "!", "of-another-session"] {
            assert!(!is_valid(text, "visit") && person_of(text).is_none(), "{text}");
        }
    }
}
