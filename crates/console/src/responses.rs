//! Responses of pages: a rendered template, or a redirect with a notice for the next page.

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, LOCATION, REFERRER_POLICY, SET_COOKIE, VARY,
};
use actix_web::{HttpResponse, HttpResponseBuilder};
use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::UndoId;
use domain::kernel::input::parse_uuid;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::{Deserialize, Serialize};

use crate::addresses;
use crate::cookies::Cookie;
use crate::layout::Browser;
use crate::page::PageResult;
use crate::rendering::{self, SendOptions};
use crate::sessions::RemovedSessions;

/// The content security policy: scripts and styles only from files of this host, never inline.
macro_rules! policy {
    ($pictures:literal) => {
        concat!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:",
            $pictures,
            "; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        )
    };
}
const POLICY: &str = policy!("");
const POLICY_WITH_PICTURES: &str = policy!(" https:");
/// Search engines may list the help centre only.
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
/// One minute: changes appear soon, and a page with many readers costs little.
const CACHED_FOR_A_MINUTE: &str = "public, max-age=60";
const HX_REDIRECT: HeaderName = HeaderName::from_static("hx-redirect");
/// How long a notice waits for the next page, in seconds.
const NOTICE_SECONDS: i64 = 60;
/// How long the browser keeps the order in which workspaces were used, in seconds: a year.
const LAST_USED_SECONDS: i64 = 365 * 24 * 60 * 60;
/// Path prefix of the forms that undo changes.
const UNDO: &str = "/undo/";

/// The message that the next page shows about what was just done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Notice {
    pub(crate) message: String,
    /// The path to which the undo form is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) undo: Option<String>,
    /// The ids of the records that the undo form restores, if there are several: see `records::bulk`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) many: String,
    /// Whether the message says why something was not done.
    #[serde(default)]
    pub(crate) is_refusal: bool,
}

impl Notice {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), undo: None, many: String::new(), is_refusal: false }
    }

    /// A message that says why something was not done.
    pub(crate) fn refusal(message: impl Into<String>) -> Self {
        Self { is_refusal: true, ..Self::new(message) }
    }

    /// Offers an undo: a form that is sent to this path.
    pub(crate) fn with_undo(self, path: impl Into<String>) -> Self {
        Self { undo: Some(path.into()), ..self }
    }

    /// Offers to restore several records, by the bulk form of their list.
    pub(crate) fn with_undo_of_many(self, path: impl Into<String>, many: String) -> Self {
        Self { undo: Some(path.into()), many, ..self }
    }

    /// Offers to undo a change whose former values were kept: see [`crate::records::keep_change`].
    pub(crate) fn with_undo_of(self, change: Option<UndoId>) -> Self {
        match change {
            Some(id) => self.with_undo(format!("{UNDO}{id}")),
            None => self,
        }
    }

    /// Whether the form undoes a change, rather than restoring deleted records.
    pub(crate) fn is_undo_of_change(&self) -> bool {
        self.undo.as_deref().is_some_and(|path| path.starts_with(UNDO))
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let notice: Self = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let is_many = !notice.many.is_empty();
        notice.undo.as_deref().is_none_or(|path| is_allowed_undo(path, is_many)).then_some(notice)
    }

    fn to_text(&self) -> String {
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).unwrap_or_default())
    }
}

/// Whether the undo form of a notice can only restore something. Anybody may have written the cookie, and the form has
/// a valid token, so it may be sent to no other path. The form for several records always sends the restore action
/// itself; the one for a change undoes only changes of its own sender.
fn is_allowed_undo(path: &str, is_many: bool) -> bool {
    let end = if is_many { "/bulk" } else { "/restore" };
    let is_undo_of_change = path.strip_prefix(UNDO).is_some_and(|id| parse_uuid(id).is_some());
    is_undo_of_change || (is_own_path(path) && path.ends_with(end) && !path.contains(['?', '#']))
}

/// None of our pages has a longer URL, and browsers and proxies would reject the header.
const MAX_ADDRESS_LENGTH: usize = 8 * 1024;

/// Whether an address is a path on this host.
pub(crate) fn is_own_path(address: &str) -> bool {
    let mut bytes = address.bytes();
    address.len() <= MAX_ADDRESS_LENGTH
        && bytes.next() == Some(b'/')
        && !matches!(bytes.next(), Some(b'/' | b'\\'))
        && !address.bytes().any(|byte| byte.is_ascii_control())
}

pub(crate) fn page(browser: &Browser, template: impl Template + Send + 'static) -> PageResult {
    let status = if browser.wrong.is_empty() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    page_with(status, browser, template)
}

/// A page whose form was rejected.
pub(crate) fn unprocessable(browser: &Browser, template: impl Template + Send + 'static) -> PageResult {
    page_with(StatusCode::UNPROCESSABLE_ENTITY, browser, template)
}

pub(crate) fn page_with(status: StatusCode, browser: &Browser, template: impl Template + Send + 'static) -> PageResult {
    let mut response = HttpResponseBuilder::new(status);
    response
        .content_type("text/html; charset=utf-8")
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        // Browsers send the origin of forms only with this policy. URLs of pages contain no secrets.
        .insert_header((REFERRER_POLICY, "same-origin"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((VARY, "Accept-Encoding, Cookie"))
        .insert_header((ROBOTS, "noindex"));
    append_visit(&mut response, browser);
    if browser.notice.is_some() {
        append_cookie(&mut response, Cookie::Notice(&browser.slug).remove(browser.is_https));
    }
    if browser.is_old_session {
        append_cookie(&mut response, Cookie::Session(&browser.slug).set(&browser.secret, None, browser.is_https));
        append_cookie(&mut response, Cookie::OldSession.remove(browser.is_https));
    }
    // Requests by scripts do not count as using a workspace.
    if browser.used_other_workspace && !browser.is_htmx {
        append_last_used(&mut response, browser, &browser.slug);
    }
    let (accepts_gzip, base) = (browser.accepts_gzip, browser.base());
    rendering::add(response.finish(), template, SendOptions { accepts_gzip, known_etags: None, base })
}

/// A page that is the same for everybody: caches keep it for a minute, then revalidate it.
pub(crate) fn cached_page(browser: &Browser, template: impl Template + Send + 'static) -> PageResult {
    let mut response = HttpResponse::Ok();
    response
        .content_type("text/html; charset=utf-8")
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((REFERRER_POLICY, "same-origin"))
        .insert_header((CACHE_CONTROL, CACHED_FOR_A_MINUTE))
        .insert_header((VARY, "Accept-Encoding"));
    let (accepts_gzip, known_etags) = (browser.accepts_gzip, Some(browser.known_etags.clone()));
    rendering::add(response.finish(), template, SendOptions { accepts_gzip, known_etags, base: String::new() })
}

/// Lets a page load pictures from other sites.
pub(crate) fn with_pictures(page: PageResult) -> PageResult {
    let mut response = page?;
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY_WITH_PICTURES));
    Ok(response)
}

pub(crate) fn append_cookie(response: &mut HttpResponseBuilder, cookie: Option<HeaderValue>) {
    if let Some(cookie) = cookie {
        response.append_header((SET_COOKIE, cookie));
    }
}

/// Sets the visit cookie if the secret in it is new.
pub(crate) fn append_visit(response: &mut HttpResponseBuilder, browser: &Browser) {
    if browser.is_new_visit {
        append_cookie(response, Cookie::Visit.set(&browser.secret, None, browser.is_https));
    }
}

/// Redirects to a page after a form was handled.
pub(crate) fn redirect(browser: &Browser, path: &str, notice: Option<Notice>) -> HttpResponse {
    let mut response = redirect_to(browser, path);
    if let Some(notice) = notice {
        let place = if addresses::is_inside(path) { &*browser.slug } else { "" };
        append_notice(&mut response, browser, place, &notice);
    }
    response.finish()
}

/// Redirects to a page that says what was done.
#[expect(clippy::unnecessary_wraps, reason = "pages return it")]
pub(crate) fn success(browser: &Browser, path: &str, message: impl Into<String>) -> PageResult {
    Ok(redirect(browser, path, Some(Notice::new(message))))
}

/// Records this workspace as the last used. If the browser has too many sessions, those unused for the longest end.
pub(crate) fn append_last_used(response: &mut HttpResponseBuilder, browser: &Browser, slug: &str) {
    let (order, left_over) = browser.workspaces.after(slug);
    append_cookie(response, Cookie::LastWorkspaces.set(&order, Some(LAST_USED_SECONDS), browser.is_https));
    for slug in &left_over {
        append_cookie(response, Cookie::Session(slug).remove(browser.is_https));
    }
    if !left_over.is_empty() {
        response.extensions_mut().insert(RemovedSessions(left_over.into_iter().map(str::to_owned).collect()));
    }
}

/// Sets a notice for the next page of a workspace, or with an empty slug for the next page outside of workspaces.
pub(crate) fn append_notice(response: &mut HttpResponseBuilder, browser: &Browser, slug: &str, notice: &Notice) {
    append_cookie(response, Cookie::Notice(slug).set(&notice.to_text(), Some(NOTICE_SECONDS), browser.is_https));
}

/// A redirect, to which headers can be added.
pub(crate) fn redirect_to(browser: &Browser, path: &str) -> HttpResponseBuilder {
    redirect_from(&browser.base(), path, browser.is_htmx)
}

/// A redirect to a page of the workspace with this base, or to one outside of workspaces.
pub(crate) fn redirect_from(base: &str, path: &str, is_htmx: bool) -> HttpResponseBuilder {
    let mut response = HttpResponse::build(if is_htmx { StatusCode::OK } else { StatusCode::SEE_OTHER });
    response.insert_header((CACHE_CONTROL, "no-store"));
    response.insert_header((
        if is_htmx { HX_REDIRECT } else { LOCATION },
        utf8_percent_encode(&addresses::with_base(base, path), ENCODED_IN_HEADERS).to_string(),
    ));
    response
}

/// ASCII characters that an address in a header cannot have. Other characters are always encoded.
const ENCODED_IN_HEADERS: &AsciiSet = &CONTROLS.add(b' ');

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_this_host_are_own() {
        for (address, own) in [
            ("/deals?stage=won", true),
            ("/", true),
            ("//example.com", false),
            ("/\\example.com", false),
            ("https://example.com", false),
            ("javascript:alert(1)", false),
            ("", false),
            ("/a\nb", false),
            (&format!("/{}", "a".repeat(MAX_ADDRESS_LENGTH)), false),
        ] {
            assert_eq!(is_own_path(address), own, "{address}");
        }
    }

    #[test]
    fn redirects_contain_only_visible_ascii() {
        for (path, header) in [
            ("/search?q=Müller&a=%C3%A4", "/w/acme/search?q=M%C3%BCller&a=%C3%A4"),
            ("/", "/w/acme"),
            ("/a b\u{202e}", "/a%20b%E2%80%AE"),
            ("/a\r\nSet-Cookie: x=1", "/a%0D%0ASet-Cookie:%20x=1"),
        ] {
            for (is_htmx, name) in [(false, LOCATION), (true, HX_REDIRECT)] {
                let response = redirect_from("/w/acme", path, is_htmx).finish();
                assert_eq!(response.headers().get(name).unwrap(), header);
            }
        }
    }

    #[test]
    fn a_notice_survives_its_cookie_and_undoes_nothing_elsewhere() {
        let notice = Notice::new("Deleted “Acme”").with_undo("/companies/1/restore");
        assert_eq!(Notice::parse(&notice.to_text()), Some(notice));
        let many = Notice::new("Deleted 2 records.").with_undo_of_many("/companies/bulk", "AAAA".to_owned());
        assert_eq!(Notice::parse(&many.to_text()), Some(many));
        let change = Notice::new("Saved").with_undo_of(Some(UndoId(uuid::Uuid::nil())));
        assert!(change.is_undo_of_change() && Notice::parse(&change.to_text()) == Some(change));
        let refusal = Notice::refusal("It changed");
        assert!(Notice::parse(&refusal.to_text()).is_some_and(|notice| notice.is_refusal));
        for elsewhere in [
            "//example.com/restore",
            "/settings/delete",
            "/settings/delete?/restore",
            "/x#/restore",
            "/x/bulk",
            "/undo/../settings/delete",
            "/undo/x",
            "/undo/",
        ] {
            assert_eq!(Notice::parse(&Notice::new("x").with_undo(elsewhere).to_text()), None, "{elsewhere}");
        }
        assert_eq!(Notice::parse("%"), None);
    }
}
