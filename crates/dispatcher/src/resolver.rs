//! Resolves the host names of receivers.

use std::net::IpAddr;
use std::time::Duration;

use async_trait::async_trait;
use hickory_resolver::TokioResolver;
use hickory_resolver::config::ResolverConfig;
use hickory_resolver::net::runtime::TokioRuntimeProvider;

use crate::error::DispatcherError;

/// The time after which a query is retried.
const DNS_TIMEOUT: Duration = Duration::from_secs(3);
/// Concurrent queries per name server connection: more than there can be requests.
const MAX_DNS_QUERIES: usize = 4_096;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// The name does not exist.
    #[error("the host name does not exist")]
    Unknown,
    /// The name servers failed or timed out.
    #[error("the host name could not be resolved")]
    Unavailable,
}

/// Resolves host names. The guard checks the addresses before a connection is opened.
#[async_trait]
pub trait NameResolver: Send + Sync {
    async fn resolve(&self, name: &str) -> Result<Vec<IpAddr>, ResolveError>;
}

/// Uses the system's hosts file and name servers.
///
/// It does not use `getaddrinfo`, which blocks a thread per query: receivers with unresponsive name servers could block all
/// threads. Here, a query without a response occupies no thread.
pub struct SystemResolver(TokioResolver);

impl SystemResolver {
    /// Reads the system's settings. Without settings, only targets with an IP address can be reached.
    pub fn new() -> Result<Self, DispatcherError> {
        let mut builder = TokioResolver::builder_tokio().unwrap_or_else(|error| {
            log::warn!("cannot read the name server settings: {error}; webhooks cannot reach receivers by host name");
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

    /// Some names resolve without a name server.
    #[tokio::test]
    async fn localhost_and_invalid_names_need_no_name_server() {
        let names = SystemResolver::new().unwrap();
        let addresses = names.resolve("localhost").await.unwrap();
        assert!(!addresses.is_empty() && addresses.iter().all(IpAddr::is_loopback), "{addresses:?}");
        assert_eq!(names.resolve("nobody.invalid").await, Err(ResolveError::Unknown));
    }
}
