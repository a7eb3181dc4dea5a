//! Where the service is.

use std::fmt;

use thiserror::Error;
use url::{Host, Url};

/// The base address of the service, without a slash at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiUrl(String);

/// What is wrong with an address. None repeats it: it may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum ApiUrlError {
    #[error("it cannot be read as a URL such as https://service.example.com")]
    Unreadable,
    #[error("it must begin with https:// or http://")]
    Scheme,
    #[error("it must not hold a user name or password: the key is the only credential")]
    UserInfo,
    #[error("it must not hold a query or a fragment")]
    Query,
}

impl ApiUrl {
    /// Reads an address, with or without a slash at the end and a path that it stands under.
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

    /// A path of the service under this address.
    pub(crate) fn join(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }

    /// Whether the key would cross a network in the clear.
    pub(crate) fn is_in_the_clear(&self) -> bool {
        let Ok(url) = Url::parse(&self.0) else { return false };
        let is_local = match url.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        url.scheme() == "http" && !is_local
    }

    /// The base that a redirect of `path` leads to, fit to be shown: without query and user.
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
    fn what_is_no_base_is_refused_and_not_repeated() {
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
    fn only_this_machine_is_reached_in_the_clear_without_a_word() {
        for (text, expected) in [
            ("http://127.0.0.1:8080", false),
            ("http://[::1]:8080", false),
            ("http://localhost", false),
            ("https://example.com", false),
            ("http://example.com", true),
            ("http://10.0.0.1", true),
        ] {
            assert_eq!(ApiUrl::parse(text).unwrap().is_in_the_clear(), expected, "{text}");
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
