//! The key, kept out of everything that is written down.

use std::fmt;

use hyper::header::HeaderValue;

/// A key of the service. It has no `Display`, and its `Debug` is silent.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ApiKey(String);

impl ApiKey {
    /// The key as it stands on the command line or in the environment, not looked at yet.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Whether nothing was given.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The credential of a request; `None` if the key holds what no key and no header does.
    pub(crate) fn bearer(&self) -> Option<HeaderValue> {
        let is_plain = !self.0.is_empty() && self.0.bytes().all(|byte| byte.is_ascii_graphic());
        let mut value = is_plain.then(|| HeaderValue::try_from(format!("Bearer {}", self.0)).ok())??;
        value.set_sensitive(true);
        Some(value)
    }

    /// Takes the key out of a text of others: something between here and the service may repeat what it was sent.
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
    fn it_is_a_sensitive_header_and_shows_itself_nowhere() {
        let key = ApiKey::new("svc_marker");
        let header = key.bearer().unwrap();
        assert_eq!(header.to_str().unwrap(), "Bearer svc_marker");
        assert!(header.is_sensitive());
        assert!(!format!("{key:?} {header:?}").contains("marker"));
        assert_eq!(key.redact("echo: Bearer svc_marker."), "echo: Bearer [key].");
    }

    #[test]
    fn what_no_header_holds_is_no_key() {
        for malformed in ["", " ", "svc_a b", "svc_a\n", "svc_a\r\nHost: other", "svc_ä", "svc_\0"] {
            assert!(ApiKey::new(malformed).bearer().is_none(), "{malformed:?}");
        }
    }
}
