//! The base URL of the service.

use std::fmt;

use thiserror::Error;
use url::{Host, Url};

/// The base URL of the service, without a trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiUrl(String);

/// Why a base URL is invalid. No message repeats the URL, which may contain a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum ApiUrlError {
    #[error("it is not a URL such as https://service.example.com")]
    Unreadable,
    #[error("it must start with https:// or http://")]
    Scheme,
    #[error("it must not contain a user name or password: the API key is the only credential")]
    UserInfo,
    #[error("it must not contain a query or a fragment")]
    Query,
}

impl ApiUrl {
    /// Parses a base URL, with or without a trailing slash and a path prefix.
    pub(crate) fn parse(text: &str) -> Result<Self, ApiUrlError> {
        let url = Url::parse(text.trim()).map_err(|_| ApiUrlError::Unreadable)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(ApiUrlError::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(ApiUrlError::UserInfo);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(ApiUrlError::Query);
        }
        Ok(Self(url.as_str().trim_end_matches('/').to_owned()))
    }

    /// The URL of a path.
    pub(crate) fn join(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }

    /// Whether the key would be sent over a network unencrypted.
    pub(crate) fn is_unencrypted(&self) -> bool {
        let Ok(url) = Url::parse(&self.0) else { return false };
        let is_local = match url.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        url.scheme() == "http" && !is_local
    }

    /// The base URL that a redirect of `path` points to, without the query and user info, which must not be shown.
    pub(crate) fn base_of_redirect(&self, path: &str, location: &str) -> Option<String> {
        let mut target = Url::parse(&self.join(path)).ok()?.join(location).ok()?;
        target.set_query(None);
        target.set_fragment(None);
        target.set_username("").ok()?;
        target.set_password(None).ok()?;
        let shown = target.as_str();
        Some(shown.strip_suffix(path).unwrap_or(shown).trim_end_matches('/').to_owned())
    }
}

impl fmt::Display for ApiUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_and_prefixes_make_no_difference() {
        for (text, expected) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/api/x"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/api/x"),
            ("https://Service.example.com:443//", "https://service.example.com/api/x"),
            ("https://example.com/work/", "https://example.com/work/api/x"),
            (" https://example.com/work\n", "https://example.com/work/api/x"),
        ] {
            assert_eq!(ApiUrl::parse(text).unwrap().join("/api/x"), expected, "{text}");
        }
    }

    #[test]
    fn an_invalid_base_is_rejected_and_not_repeated() {
        for (text, expected) in [
            ("service.example.com", ApiUrlError::Unreadable),
            ("", ApiUrlError::Unreadable),
            ("http://", ApiUrlError::Unreadable),
            ("localhost:8080", ApiUrlError::Scheme),
            ("ftp://example.com", ApiUrlError::Scheme),
            ("https://user:secret@example.com", ApiUrlError::UserInfo),
            ("https://secret@example.com", ApiUrlError::UserInfo),
            ("https://example.com?key=secret", ApiUrlError::Query),
            ("https://example.com#secret", ApiUrlError::Query),
        ] {
            assert_eq!(ApiUrl::parse(text).unwrap_err(), expected, "{text}");
            assert!(!expected.to_string().contains("secret"));
        }
    }

    #[test]
    fn only_loopback_is_reached_unencrypted_without_a_warning() {
        for (text, expected) in [
            ("http://127.0.0.1:8080", false),
            ("http://[::1]:8080", false),
            ("http://localhost", false),
            ("https://example.com", false),
            ("http://example.com", true),
            ("http://10.0.0.1", true),
        ] {
            assert_eq!(ApiUrl::parse(text).unwrap().is_unencrypted(), expected, "{text}");
        }
    }

    #[test]
    fn a_redirect_names_the_base_to_set() {
        let api = ApiUrl::parse("http://example.com").unwrap();
        let path = "/api/mcp/tools/list";
        for (location, expected) in [
            ("https://example.com/api/mcp/tools/list?includeSchemas=true", "https://example.com"),
            ("https://user:pw@api.example.com/work/api/mcp/tools/list", "https://api.example.com/work"),
            ("/login?next=%2Fapi", "http://example.com/login"),
        ] {
            assert_eq!(api.base_of_redirect(path, location).unwrap(), expected, "{location}");
        }
        assert_eq!(api.base_of_redirect(path, "http://"), None);
    }
}
