//! What can be wrong with a limiter's settings.

/// Why a limiter cannot be made. No message repeats the address of Redis: it may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LimiterError {
    /// The address is none.
    #[error(
        "the address of Redis cannot be read (it is not shown, since it may hold a password): it must look like \
         redis://[user:password@]host[:port][/database], with rediss:// for TLS, or unix:///path; other characters \
         than letters, digits and -._~ in a user or a password are written as %XX"
    )]
    Address,
    /// TLS that trusts everybody was asked for.
    #[error(
        "the address of Redis ends in #insecure, which would accept any certificate: leave it away, or use redis://"
    )]
    Insecure,
}
