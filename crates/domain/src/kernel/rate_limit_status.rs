//! The rate-limit status of a request.

use super::Error;

/// Feeds the three `X-RateLimit-*` headers of every counted response (interface 6.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimitStatus {
    /// Requests per window.
    pub limit: u64,
    /// Requests left in this window.
    pub remaining: u64,
    /// Start of the next window, in Unix seconds.
    pub reset_at: i64,
    /// Whole seconds until then.
    pub retry_after: i64,
    /// Whether this request exceeded the limit.
    pub exceeded: bool,
    /// Whether the limit is shared by the whole workspace, not the caller's own.
    pub is_shared: bool,
}

impl RateLimitStatus {
    /// The error message for a client above the limit.
    pub(crate) fn refusal(&self) -> String {
        let wait = self.retry_after;
        if self.is_shared {
            return format!(
                "the keys and sessions of this workspace together sent too many requests: try again in {wait} s"
            );
        }
        format!("too many requests: try again in {wait} s")
    }

    /// Rejects the request if it exceeded the limit.
    ///
    /// # Errors
    /// [`Error::RateLimited`].
    pub const fn check(&self) -> Result<(), Error> {
        if self.exceeded { Err(Error::RateLimited(*self)) } else { Ok(()) }
    }
}
