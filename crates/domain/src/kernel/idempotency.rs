//! Idempotency keys: the first 2xx response of a POST is stored for 24 hours and replayed (interface 4.3–4.6).

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::kernel::StoreError;

pub const RETENTION: Duration = Duration::hours(24);
/// Bytes of a stored response in addition to its texts: row, indexes, fingerprint. Counting them also limits how many small
/// responses are stored.
const OVERHEAD: u64 = 512;
/// Maximum length of a key, in characters.
pub const MAX_KEY_LENGTH: usize = 255;

/// A surface's response, stored for replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResponse {
    /// A 2xx status.
    pub status: u16,
    /// The `Location` header.
    pub location: Option<String>,
    /// The exact body.
    pub body: String,
}

/// Maximum bytes of the stored responses of a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResponseBudget(pub u64);

impl Default for ResponseBudget {
    fn default() -> Self {
        Self(256_000_000)
    }
}

/// A request that is idempotent per key, with the rendering of its response.
#[derive(Debug, Clone)]
pub struct IdempotentRequest<T> {
    pub key: String,
    /// Method and route pattern.
    pub route: &'static str,
    /// Hash of path and body; tells a retry from another request.
    pub fingerprint: [u8; 32],
    /// Renders the surface's response for the created value.
    pub render: fn(&T) -> StoredResponse,
}

/// A use of an idempotency key, per credential and route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyClaim {
    /// The credential that owns the key.
    pub credential: Uuid,
    /// Method and route pattern.
    pub route: &'static str,
    pub key: String,
    /// Hash of path and body.
    pub fingerprint: [u8; 32],
    /// Arrival of the request.
    pub now: OffsetDateTime,
    /// Responses stored before this have expired.
    pub oldest: OffsetDateTime,
    /// The budget of the workspace.
    pub budget: ResponseBudget,
}

impl IdempotencyClaim {
    /// The bytes that count against the budget if this response is stored for the claim.
    pub fn bytes_of(&self, response: &StoredResponse) -> u64 {
        let texts = [self.route, &self.key, response.location.as_deref().unwrap_or_default(), &response.body];
        OVERHEAD + texts.iter().map(|text| text.len() as u64).sum::<u64>()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimResult {
    /// The key is unused: the action may run and its response be stored.
    Free,
    /// Another request with the key is still running.
    Running,
    /// The key was used before.
    Kept { fingerprint: [u8; 32], answer: StoredResponse },
}

/// Whether a response was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeepResult {
    Kept,
    /// The workspace's budget is used up: nothing was stored.
    OverBudget {
        /// When the oldest stored responses have expired and freed enough space.
        room_at: OffsetDateTime,
    },
}

/// The result of an idempotent use case.
#[derive(Debug)]
pub enum IdempotentResult<T> {
    /// The action ran now.
    Fresh(T),
    /// The action ran before; this is the stored response.
    Replayed(StoredResponse),
}

impl<T> IdempotentResult<T> {
    /// Converts the value, if the action ran now.
    pub fn map<U>(self, show: impl FnOnce(T) -> U) -> IdempotentResult<U> {
        match self {
            Self::Fresh(value) => IdempotentResult::Fresh(show(value)),
            Self::Replayed(response) => IdempotentResult::Replayed(response),
        }
    }

    /// The value of an action without a key, which always runs now.
    ///
    /// # Errors
    /// [`StoreError::Internal`] for a replay, which cannot happen without a key.
    pub fn made_now(self) -> Result<T, crate::Error> {
        let replayed = || StoreError::Internal("a request without an idempotency key was replayed".to_owned());
        self.fresh().ok_or_else(|| replayed().into())
    }

    /// The value, if the action ran now.
    pub fn fresh(self) -> Option<T> {
        match self {
            Self::Fresh(value) => Some(value),
            Self::Replayed(_) => None,
        }
    }
}

impl<T> IdempotentRequest<T> {
    pub fn claim(&self, credential: Uuid, now: OffsetDateTime, budget: ResponseBudget) -> IdempotencyClaim {
        IdempotencyClaim {
            credential,
            route: self.route,
            key: self.key.clone(),
            fingerprint: self.fingerprint,
            now,
            oldest: now - RETENTION,
            budget,
        }
    }
}

/// Parses a client's key: 1 to 255 printable ASCII characters. Problems are reported under `field`.
///
/// # Errors
/// [`crate::Error::Malformed`].
pub fn parse_key(field: &str, text: &str) -> Result<String, crate::Error> {
    let good = (1..=MAX_KEY_LENGTH).contains(&text.len()) && text.bytes().all(|byte| (0x20..0x7f).contains(&byte));
    good.then(|| text.to_owned()).ok_or_else(|| {
        let message = format!("must be 1 to {MAX_KEY_LENGTH} printable characters");
        crate::Error::malformed(field, "invalid_value", message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_printable_and_bounded() {
        for (text, good) in [
            ("a".to_owned(), true),
            ("x".repeat(255), true),
            ("x".repeat(256), false),
            (String::new(), false),
            ("a\tb".into(), false),
            ("ä".into(), false),
        ] {
            assert_eq!(parse_key("key", &text).is_ok(), good, "{text}");
        }
    }
}
