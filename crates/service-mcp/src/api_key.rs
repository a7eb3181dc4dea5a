//! The API key, which never appears in output or logs.

use std::fmt;

use hyper::header::HeaderValue;

/// An API key. It has no `Display`, and its `Debug` is redacted.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ApiKey(String);

impl ApiKey {
    /// Wraps the value from the command line or the environment without checking it.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of the `Authorization` header; `None` if the key contains invalid characters.
    pub(crate) fn bearer(&self) -> Option<HeaderValue> {
        let is_plain = !self.0.is_empty() && self.0.bytes().all(|byte| byte.is_ascii_graphic());
        let mut value = is_plain.then(|| HeaderValue::try_from(format!("Bearer {}", self.0)).ok())??;
        value.set_sensitive(true);
        Some(value)
    }

    /// Removes the key from a remote text, because the service or a proxy may repeat what it received.
    pub(crate) fn redact(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, "[key]") }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ApiKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_sensitive_header_and_never_shown() {
        let key = ApiKey::new("svc_marker");
        let header = key.bearer().unwrap();
        assert_eq!(header.to_str().unwrap(), "Bearer svc_marker");
        assert!(header.is_sensitive());
        assert!(!format!("{key:?} {header:?}").contains("marker"));
        assert_eq!(key.redact("echo: Bearer svc_marker."), "echo: Bearer [key].");
    }

    #[test]
    fn invalid_header_values_are_rejected() {
        for malformed in ["", " ", "svc_a b", "svc_a\n", "svc_a\r\nHost: other", "svc_ä", "svc_\0"] {
            assert!(ApiKey::new(malformed).bearer().is_none(), "{malformed:?}");
        }
    }
}
