//! Why there is no dispatcher.

/// Why a dispatcher cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DispatcherError {
    /// The settings of TLS contradict each other: a fault of the build, not of the configuration.
    #[error("TLS for webhooks cannot be set up: {0}")]
    Tls(String),
    /// The machine's settings of name servers cannot be used.
    #[error("names cannot be resolved for webhooks: {0}")]
    NameResolver(String),
}
