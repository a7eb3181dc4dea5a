//! Errors in an address. No message quotes the address, because it may contain a password.

use std::path::PathBuf;

/// Why an address cannot be used, and how to fix it.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// The address is neither a URL nor a string of keywords.
    #[error(
        "the address is invalid; it must have the form postgres://user:password@host:port/database, with / : @ ? # % and spaces \
         in the password percent-encoded (/ is %2F, @ is %40)"
    )]
    Unreadable,
    /// A setting has a value that libpq would reject.
    #[error("{name} in the address must be {expected}")]
    Value { name: &'static str, expected: &'static str },
    #[error("the address must have one port or one per host, and as many addresses in hostaddr as hosts")]
    Lists,
    /// The address has several hosts, but all connections must lead to the same server.
    #[error("the address must name one host, so that every connection leads to the same server")]
    ManyHosts,
    /// A setting that does not work through the tunnel.
    #[error("{name} is not supported together with TLS: {cure}")]
    Unsupported { name: &'static str, cure: &'static str },
    /// Certificates should be verified, but no authority is given.
    #[error(
        "sslmode={mode} needs sslrootcert: the file with the certificate authority of the database, or system for those that \
         this machine trusts"
    )]
    NoAuthority { mode: &'static str },
    #[error("{name} cannot be used: {}: {reason}", path.display())]
    File { name: &'static str, path: PathBuf, reason: String },
    #[error("the client certificate cannot be used: {0}; sslcert and sslkey must belong together")]
    ClientCertificate(rustls::Error),
    /// rustls and its provider do not match, which is an error in the build.
    #[error("TLS is not available: {0}")]
    Tls(#[from] rustls::Error),
    #[error("cannot {what} in {}: {cause}; TMPDIR must name a folder that this process can write to", path.display())]
    Folder { what: &'static str, path: PathBuf, cause: std::io::Error },
    #[error("cannot start the threads for TLS to the database: {0}")]
    Threads(std::io::Error),
}
