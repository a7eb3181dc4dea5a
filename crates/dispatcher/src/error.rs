/// Why a dispatcher cannot be created.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DispatcherError {
    /// The TLS settings contradict each other, which is an error in the build and not in the configuration.
    #[error("cannot set up TLS for webhooks: {0}")]
    Tls(String),
    /// The system's name server settings are invalid.
    #[error("cannot set up the name resolver for webhooks: {0}")]
    NameResolver(String),
}
