//! Idempotency keys: the first 2xx answer of a POST is kept for a day and given again (contract: general conventions).

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// How long an answer is kept.
pub const RETENTION: Duration = Duration::hours(24);
/// The longest key, in characters.
pub const MAX_KEY_LENGTH: usize = 255;

/// An answer of a surface, as it can be given again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResponse {
    /// The status, 2xx.
    pub status: u16,
    /// Where the new record is.
    pub location: Option<String>,
    /// The body, to the byte.
    pub body: String,
}

/// A request that must happen at most once, with the way to its answer.
#[derive(Debug, Clone)]
pub struct IdempotentRequest<T> {
    /// The client's key.
    pub key: String,
    /// Method and pattern of the route.
    pub route: &'static str,
    /// What tells one request from another: a hash of the path and the body.
    pub fingerprint: [u8; 32],
    /// The surface's answer for what was made.
    pub render: fn(&T) -> StoredResponse,
}

/// One idempotency key of one credential and route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyClaim {
    /// The credential that the key belongs to.
    pub credential: Uuid,
    /// Method and pattern of the route.
    pub route: &'static str,
    /// The client's key.
    pub key: String,
    /// Tells one request from another.
    pub fingerprint: [u8; 32],
    /// When the request came.
    pub now: OffsetDateTime,
    /// Answers from before this count as forgotten.
    pub oldest: OffsetDateTime,
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimResult {
    /// Nobody used the key: the action may run and its answer be kept.
    Free,
    /// Another request with the key has not ended yet.
    Running,
    /// The key was used.
    Kept {
        /// The first request's fingerprint.
        fingerprint: [u8; 32],
        /// The first answer.
        answer: StoredResponse,
    },
}

/// What a use case came to.
#[derive(Debug)]
pub enum IdempotentResult<T> {
    /// It was done now.
    Fresh(T),
    /// It was done before; this was the answer.
    Replayed(StoredResponse),
}

impl<T> IdempotentResult<T> {
    /// The value of an outcome that was done now.
    pub fn fresh(self) -> Option<T> {
        match self {
            Self::Fresh(value) => Some(value),
            Self::Replayed(_) => None,
        }
    }
}

impl<T> IdempotentRequest<T> {
    /// The claim of a credential at `now`.
    pub fn claim(&self, credential: Uuid, now: OffsetDateTime) -> IdempotencyClaim {
        IdempotencyClaim {
            credential,
            route: self.route,
            key: self.key.clone(),
            fingerprint: self.fingerprint,
            now,
            oldest: now - RETENTION,
        }
    }
}

/// Checks a client's key: 1 to 255 printable ASCII characters. A problem goes under `field`.
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
