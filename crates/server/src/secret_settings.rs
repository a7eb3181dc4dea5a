//! Settings that are secret.

use serde::Deserialize;

/// A secret text, hidden from `Debug`.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub(crate) struct SecretText(pub(crate) String);

impl std::fmt::Debug for SecretText {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("SecretText(…)")
    }
}

/// A server URL, hidden from `Debug` because it may hold a password.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub(crate) struct SecretUrl(pub(crate) String);

impl std::fmt::Debug for SecretUrl {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("SecretUrl(…)")
    }
}
