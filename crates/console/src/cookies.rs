//! The cookies of the console.

use std::borrow::Cow;

use actix_web::HttpRequest;
use actix_web::http::header::{COOKIE, HeaderValue};
use http_core::workspace_address::is_slug;

/// A cookie. The names of cookies that belong to a workspace end in its slug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cookie<'a> {
    /// The access token of the session in a workspace.
    Session(&'a str),
    /// The access token of the browser's only session, from before URLs contained the workspace.
    OldSession,
    /// The workspaces in the order of their last use, the latest first.
    LastWorkspaces,
    /// The secret behind form tokens on pages without a session, and of forms that are kept while the user signs in
    /// again.
    Visit,
    /// What the next page of a workspace says about what was just done; with an empty slug, the next page outside of
    /// workspaces.
    Notice(&'a str),
    Theme,
    /// The time zone reported by the browser.
    TimeZone,
    /// The time zone that the user chose instead.
    ChosenZone,
    /// The workspaces whose next steps are hidden.
    HiddenSteps,
}

/// Prefix of the names of session cookies, before the slug.
const SESSION_PREFIX: &str = "session-";

impl Cookie<'_> {
    fn name(self) -> &'static str {
        match self {
            Self::Session(_) => SESSION_PREFIX,
            Self::OldSession => "session",
            Self::LastWorkspaces => "last-workspace",
            Self::Visit => "visit",
            Self::Notice("") => "notice",
            Self::Notice(_) => "notice-",
            Self::Theme => "theme",
            Self::TimeZone => "tz",
            Self::ChosenZone => "zone",
            Self::HiddenSteps => "hidden-steps",
        }
    }

    /// Whether scripts may read and write it. None of these cookies is secret.
    const fn is_for_scripts(self) -> bool {
        matches!(self, Self::Theme | Self::TimeZone | Self::ChosenZone)
    }

    /// The name with its prefix. If the public address is https, browsers accept the cookie only from this host over
    /// TLS.
    fn full_name(self, is_https: bool) -> Cow<'static, str> {
        let name = match self {
            Self::Session(slug) | Self::Notice(slug) => Cow::Owned(format!("{}{slug}", self.name())),
            _ => Cow::Borrowed(self.name()),
        };
        if is_https && !self.is_for_scripts() { Cow::Owned(format!("{HOST_PREFIX}{name}")) } else { name }
    }

    /// The value that the browser sent.
    pub(crate) fn of(self, request: &HttpRequest, is_https: bool) -> Option<String> {
        let name = self.full_name(is_https);
        pairs(request).find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
    }

    /// Sets the cookie for this many seconds, or until the browser is closed. `value` must be valid in a cookie.
    pub(crate) fn set(self, value: &str, seconds: Option<i64>, is_https: bool) -> Option<HeaderValue> {
        let mut text = format!("{}={value}; Path=/; SameSite=Lax", self.full_name(is_https));
        if !self.is_for_scripts() {
            text.push_str("; HttpOnly");
        }
        if is_https {
            text.push_str("; Secure");
        }
        if let Some(seconds) = seconds {
            text = format!("{text}; Max-Age={seconds}");
        }
        HeaderValue::from_str(&text).ok()
    }

    pub(crate) fn remove(self, is_https: bool) -> Option<HeaderValue> {
        self.set("", Some(0), is_https)
    }
}

/// Browsers accept cookies with this prefix only from their host over TLS.
const HOST_PREFIX: &str = "__Host-";

/// The cookies that the browser sent. Cookies of other applications on this host come along and may not be valid text,
/// which must not cost the user the session.
fn pairs(request: &HttpRequest) -> impl Iterator<Item = (&str, &str)> {
    let cookies = request.headers().get_all(COOKIE).flat_map(|header| header.as_bytes().split(|byte| *byte == b';'));
    let texts = cookies.filter_map(|pair| str::from_utf8(pair).ok());
    texts.filter_map(|pair| pair.trim().split_once('='))
}

/// The slugs of the workspaces for which the browser has a session.
pub(crate) fn slugs_of_sessions(request: &HttpRequest, is_https: bool) -> Vec<String> {
    let slug_of = |name: &str| {
        let name = if is_https { name.strip_prefix(HOST_PREFIX)? } else { name };
        name.strip_prefix(SESSION_PREFIX).filter(|slug| is_slug(slug)).map(str::to_owned)
    };
    pairs(request).filter_map(|(name, _)| slug_of(name)).collect()
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn cookies_of_other_applications_do_not_hide_ours() {
        for (sent, found) in [
            (&b"a=1; __Host-session-acme=x; b=2"[..], Some("x")),
            (b"other=\xff\xfe; __Host-session-acme=x", Some("x")),
            (b"name=\xc3\xa4;__Host-session-acme=x;", Some("x")),
            (b"; ;=; __Host-session-acme=x=y", Some("x=y")),
            (b"session-acme=x; my__Host-session-acme=x; __Host-session=x; __Host-session-acme2=x", None),
            (b"__Host-session-acme=\xff", None),
        ] {
            let header = HeaderValue::from_bytes(sent).unwrap();
            let request = TestRequest::default().insert_header((COOKIE, header)).to_http_request();
            assert_eq!(Cookie::Session("acme").of(&request, true).as_deref(), found, "{sent:?}");
        }
    }

    #[test]
    fn sessions_of_workspaces_are_found_by_their_names() {
        let sent = "__Host-session-acme=x; __Host-session=y; __Host-session-B=z; session-c=w; __Host-session-d-1=v";
        let request = TestRequest::default().insert_header((COOKIE, sent)).to_http_request();
        assert_eq!(slugs_of_sessions(&request, true), ["acme", "d-1"]);
        assert_eq!(slugs_of_sessions(&request, false), ["c"]);
    }
}
