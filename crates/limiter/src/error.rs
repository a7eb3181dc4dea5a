//! Errors in a limiter's settings.

/// Why a limiter cannot be created. No message repeats the address of Redis: it may contain a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LimiterError {
    /// The address is invalid.
    #[error(
        "the address of Redis is invalid (it is not shown, because it may contain a password): it must look like \
         redis://[user:password@]host[:port][/database], with rediss:// for TLS, or unix:///path; in a user or password, \
         write all characters other than letters, digits and -._~ as %XX"
    )]
    Address,
    /// TLS without certificate validation was requested.
    #[error("the address of Redis ends in #insecure, which would accept any certificate: remove it, or use redis://")]
    Insecure,
}

/// Why the Redis at an address cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RedisCheckError {
    #[error(transparent)]
    Address(#[from] LimiterError),
    /// The error message of the connection or the server.
    #[error("Redis is unavailable: {0}")]
    Unavailable(String),
}
