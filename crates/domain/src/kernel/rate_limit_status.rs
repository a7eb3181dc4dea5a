//! What a rate limit says of a request.

use super::Error;

/// Where a subject stands in its window: the three headers of every answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimitStatus {
    /// How many requests the window takes.
    pub limit: u64,
    /// How many are left.
    pub remaining: u64,
    /// When the next window begins, in Unix seconds.
    pub reset_at: i64,
    /// How long that is from now, in whole seconds.
    pub retry_after: i64,
    /// Whether this request was one too many.
    pub exceeded: bool,
}

impl RateLimitStatus {
    /// Lets the request go on, unless it was one too many.
    ///
    /// # Errors
    /// [`Error::RateLimited`].
    pub const fn check(&self) -> Result<(), Error> {
        if self.exceeded { Err(Error::RateLimited(*self)) } else { Ok(()) }
    }
}
