//! Names of receivers to addresses.

use std::net::IpAddr;
use std::time::Duration;

use async_trait::async_trait;
use hickory_resolver::TokioResolver;
use hickory_resolver::config::ResolverConfig;
use hickory_resolver::net::runtime::TokioRuntimeProvider;

use crate::error::DispatcherError;

/// How long one name server may take to answer before it is asked again.
const DNS_TIMEOUT: Duration = Duration::from_secs(3);
/// How many questions one connection to a name server may have open: more than there are requests.
const MAX_DNS_QUERIES: usize = 4_096;

/// Why a name has no address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// There is no such name.
    #[error("the name does not exist")]
    Unknown,
    /// The name servers do not say.
    #[error("the name could not be resolved")]
    Unavailable,
}

/// Resolves names. What it answers is checked before anything connects to it.
#[async_trait]
pub trait NameResolver: Send + Sync {
    /// The addresses of a name.
    async fn resolve(&self, name: &str) -> Result<Vec<IpAddr>, ResolveError>;
}

/// Asks the machine's name servers, after its file of hosts.
///
/// Not through the system's resolver: that one blocks a thread until it knows, and a receiver whose name server does not
/// answer could take them all. Here a question that hangs costs nothing but itself.
pub struct SystemResolver(TokioResolver);

impl SystemResolver {
    /// Reads the machine's settings. Where there are none, names are not resolved, and addresses can still be called.
    pub fn new() -> Result<Self, DispatcherError> {
        let mut builder = TokioResolver::builder_tokio().unwrap_or_else(|error| {
            log::warn!("webhooks reach no receiver by name: the settings of name servers cannot be read: {error}");
            TokioResolver::builder_with_config(ResolverConfig::default(), TokioRuntimeProvider::default())
        });
        let options = builder.options_mut();
        options.timeout = DNS_TIMEOUT;
        options.max_active_requests = MAX_DNS_QUERIES;
        let resolver = builder.build().map_err(|error| DispatcherError::NameResolver(error.to_string()))?;
        Ok(Self(resolver))
    }
}

#[async_trait]
impl NameResolver for SystemResolver {
    async fn resolve(&self, name: &str) -> Result<Vec<IpAddr>, ResolveError> {
        match self.0.lookup_ip(name).await {
            Ok(found) => Ok(found.iter().collect()),
            Err(error) if error.is_nx_domain() || error.is_no_records_found() => Err(ResolveError::Unknown),
            Err(_) => Err(ResolveError::Unavailable),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names that are answered without any name server.
    #[tokio::test]
    async fn names_of_this_machine_and_of_nobody_are_known() {
        let names = SystemResolver::new().unwrap();
        let found = names.resolve("localhost").await.unwrap();
        assert!(!found.is_empty() && found.iter().all(IpAddr::is_loopback), "{found:?}");
        assert_eq!(names.resolve("nobody.invalid").await, Err(ResolveError::Unknown));
    }
}
