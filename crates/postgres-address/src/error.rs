//! Why an address cannot be used. No message quotes the address, which may contain a password.

use std::path::PathBuf;

/// Why an address cannot be used, and what would be right.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// Neither a URL nor a string of keywords.
    #[error(
        "the address is invalid; it must have the form postgres://user:password@host:port/database, with / : @ ? # % and spaces \
         in the password percent-encoded (/ is %2F, @ is %40)"
    )]
    Unreadable,
    /// A setting has a value that libpq would refuse.
    #[error("{name} in the address must be {wanted}")]
    Value {
        /// The setting.
        name: &'static str,
        /// What it may be.
        wanted: &'static str,
    },
    /// Lists of hosts and ports that do not belong together.
    #[error("the address must have one port or one per host, and as many addresses in hostaddr as hosts")]
    Lists,
    /// Several hosts where connections must lead to the same server.
    #[error("the address must name one host, so that every connection leads to the same server")]
    ManyHosts,
    /// A setting that the tunnel does not honour.
    #[error("{name} is not supported together with TLS: {cure}")]
    Unsupported {
        /// The setting.
        name: &'static str,
        /// What to do instead.
        cure: &'static str,
    },
    /// Certificates are to be verified against nothing.
    #[error(
        "sslmode={mode} needs sslrootcert: the file with the certificate authority of the database, or system for those that \
         this machine trusts"
    )]
    NoAuthority {
        /// The mode.
        mode: &'static str,
    },
    /// A file that the address names.
    #[error("{name} cannot be used: {}: {reason}", path.display())]
    File {
        /// The setting.
        name: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The certificate of this client and its key.
    #[error("the client certificate cannot be used: {0}; sslcert and sslkey must belong together")]
    ClientCertificate(rustls::Error),
    /// rustls and its provider do not match: an error of the build.
    #[error("TLS is not available: {0}")]
    Tls(#[from] rustls::Error),
    /// No place for the sockets of the tunnel.
    #[error("cannot {what} in {}: {cause}; TMPDIR must name a folder that this process can write to", path.display())]
    Folder {
        /// What failed.
        what: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// No thread for the tunnel.
    #[error("cannot start the threads for TLS to the database: {0}")]
    Threads(std::io::Error),
}
