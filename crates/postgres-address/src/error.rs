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
    #[error("{name} in the address must be {wanted}")]
    Value {
        /// The setting.
        name: &'static str,
        /// The allowed values.
        wanted: &'static str,
    },
    /// The lists of hosts, ports and addresses have different lengths.
    #[error("the address must have one port or one per host, and as many addresses in hostaddr as hosts")]
    Lists,
    /// The address has several hosts, but all connections must lead to the same server.
    #[error("the address must name one host, so that every connection leads to the same server")]
    ManyHosts,
    /// A setting that does not work through the tunnel.
    #[error("{name} is not supported together with TLS: {cure}")]
    Unsupported {
        /// The setting.
        name: &'static str,
        /// What to do instead.
        cure: &'static str,
    },
    /// Certificates should be verified, but no authority is given.
    #[error(
        "sslmode={mode} needs sslrootcert: the file with the certificate authority of the database, or system for those that \
         this machine trusts"
    )]
    NoAuthority {
        /// The mode.
        mode: &'static str,
    },
    /// A file that the address names cannot be used.
    #[error("{name} cannot be used: {}: {reason}", path.display())]
    File {
        /// The setting.
        name: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The client certificate and its key cannot be used.
    #[error("the client certificate cannot be used: {0}; sslcert and sslkey must belong together")]
    ClientCertificate(rustls::Error),
    /// rustls and its provider do not match, which is an error in the build.
    #[error("TLS is not available: {0}")]
    Tls(#[from] rustls::Error),
    /// The folder for the tunnel's sockets cannot be used.
    #[error("cannot {what} in {}: {cause}; TMPDIR must name a folder that this process can write to", path.display())]
    Folder {
        /// The operation that failed.
        what: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// The tunnel's threads cannot be started.
    #[error("cannot start the threads for TLS to the database: {0}")]
    Threads(std::io::Error),
}
