//! The cookies of the console.

use std::borrow::Cow;

use actix_web::HttpRequest;
use actix_web::http::header::{COOKIE, HeaderValue};

/// A cookie, by its name without a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cookie {
    /// The access token of the session.
    Session,
    /// Makes the tokens of forms that need no session.
    Visit,
    /// What the next page tells about what was just done.
    Notice,
    /// The colour theme.
    Theme,
    /// The time zone that the browser says it is in.
    TimeZone,
    /// The time zone that was chosen instead.
    ChosenZone,
    /// The workspace whose next steps are hidden.
    HiddenSteps,
}

impl Cookie {
    const fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Visit => "visit",
            Self::Notice => "notice",
            Self::Theme => "theme",
            Self::TimeZone => "tz",
            Self::ChosenZone => "zone",
            Self::HiddenSteps => "hidden-steps",
        }
    }

    /// Whether scripts may read and write it. None of these is secret.
    const fn is_for_scripts(self) -> bool {
        matches!(self, Self::Theme | Self::TimeZone | Self::ChosenZone)
    }

    /// Its name where the public address is https: browsers accept it from this host alone, over TLS alone.
    fn full_name(self, is_https: bool) -> Cow<'static, str> {
        if is_https && !self.is_for_scripts() {
            Cow::Owned(format!("__Host-{}", self.name()))
        } else {
            Cow::Borrowed(self.name())
        }
    }

    /// The value that the browser sent.
    pub(crate) fn of(self, request: &HttpRequest, is_https: bool) -> Option<String> {
        let name = self.full_name(is_https);
        // Browsers send cookies of others beside ours as they are: one that is no text is no reason to lose the session.
        let cookies =
            request.headers().get_all(COOKIE).flat_map(|header| header.as_bytes().split(|byte| *byte == b';'));
        let texts = cookies.filter_map(|pair| str::from_utf8(pair).ok());
        let mut pairs = texts.filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
    }

    /// Sets it for so many seconds, or until the browser is closed. `value` has no characters that cookies cannot have.
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

    /// Removes it.
    pub(crate) fn remove(self, is_https: bool) -> Option<HeaderValue> {
        self.set("", Some(0), is_https)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn cookies_of_others_do_not_hide_ours() {
        for (sent, found) in [
            (&b"a=1; __Host-session=x; b=2"[..], Some("x")),
            (b"other=\xff\xfe; __Host-session=x", Some("x")),
            (b"name=\xc3\xa4;__Host-session=x;", Some("x")),
            (b"; ;=; __Host-session=x=y", Some("x=y")),
            (b"session=x; my__Host-session=x", None),
            (b"__Host-session=\xff", None),
        ] {
            let header = HeaderValue::from_bytes(sent).unwrap();
            let request = TestRequest::default().insert_header((COOKIE, header)).to_http_request();
            assert_eq!(Cookie::Session.of(&request, true).as_deref(), found, "{sent:?}");
        }
    }
}
