//! Settings that contain secrets.

use serde::Deserialize;

/// A secret text that `Debug` does not show.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub(crate) struct SecretText(pub(crate) String);

impl std::fmt::Debug for SecretText {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("SecretText(…)")
    }
}

/// A server URL that `Debug` does not show, because it may contain a password.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub(crate) struct SecretUrl(pub(crate) String);

impl std::fmt::Debug for SecretUrl {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("SecretUrl(…)")
    }
}
