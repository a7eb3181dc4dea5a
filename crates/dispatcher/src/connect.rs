//! Connections to receivers, and the SSRF guard.
//!
//! The guard checks the target's text, its host as the connector parses it, and every address that its name resolves to when a
//! connection is opened. A pooled connection was checked when it was opened. The client follows no redirects and uses no proxy.

use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use domain::webhooks::{MAX_CONCURRENT_PER_SUBSCRIPTION, TargetPolicy};
use http_body_util::Full;
use hyper::Uri;
use hyper::body::Bytes;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::ClientConfig;
use tower_service::Service;
use url::{Host, Url};

use crate::request_error::{ConnectError, TargetRefused};
use crate::resolver::NameResolver;

/// Keep-alive timeout: shorter than the five seconds after which common servers close idle connections, so that few
/// requests hit a closing one.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);
/// The maximum number of idle connections per host. Many subscriptions may share a host.
const MAX_IDLE_PER_HOST: usize = 8 * MAX_CONCURRENT_PER_SUBSCRIPTION;
/// Maximum size of the response headers, in bytes.
const MAX_HEADER_BYTES: usize = 32 * 1_024;

pub(crate) type HttpClient = Client<ConnectTimeout<HttpsConnector<HttpConnector<GuardedResolver>>>, Full<Bytes>>;

/// A client with guarded connections. Connecting, including TLS, takes at most `within`.
pub(crate) fn client(
    names: Arc<dyn NameResolver>,
    policy: TargetPolicy,
    tls: ClientConfig,
    within: Duration,
) -> HttpClient {
    let mut tcp = HttpConnector::new_with_resolver(GuardedResolver { names, policy });
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    // Divided among the addresses of a name, so that an unreachable address leaves time for the next one.
    tcp.set_connect_timeout(Some(within));
    let secured = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1().wrap_connector(tcp);
    Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE_TIMEOUT)
        .pool_max_idle_per_host(MAX_IDLE_PER_HOST)
        .http1_max_buf_size(MAX_HEADER_BYTES)
        // Title case as documented, for receivers that compare header names case-sensitively.
        .http1_title_case_headers(true)
        .build(ConnectTimeout { inner: secured, within })
}

/// Checks a target as far as possible without resolving its name.
///
/// The host is parsed by the WHATWG URL rules, which accept more spellings of IP addresses than most parsers.
pub(crate) fn target(url: &str, policy: TargetPolicy) -> Result<Uri, TargetRefused> {
    policy.check(url).map_err(TargetRefused::Target)?;
    let parsed = Url::parse(url).map_err(|_| TargetRefused::Unreadable)?;
    let literal = match parsed.host() {
        Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
        Some(Host::Domain(_)) => None,
        None => return Err(TargetRefused::Unreadable),
    };
    if literal.is_some_and(|address| !policy.allows(address)) {
        return Err(TargetRefused::Address);
    }
    // The request uses the normalised URL, which was checked, and not the text.
    parsed.as_str().parse().map_err(|_| TargetRefused::Unreadable)
}

/// Resolves names and drops addresses that the policy forbids.
#[derive(Clone)]
pub(crate) struct GuardedResolver {
    names: Arc<dyn NameResolver>,
    policy: TargetPolicy,
}

impl GuardedResolver {
    async fn addresses(self, name: Name) -> Result<std::vec::IntoIter<SocketAddr>, ConnectError> {
        let mut addresses = self.names.resolve(name.as_str()).await.map_err(ConnectError::Name)?;
        let has_any = !addresses.is_empty();
        addresses.retain(|address| self.policy.allows(*address));
        if addresses.is_empty() && has_any {
            return Err(ConnectError::Refused);
        }
        // The connector sets the port of the target.
        let targets: Vec<_> = addresses.into_iter().map(|address| SocketAddr::new(address, 0)).collect();
        Ok(targets.into_iter())
    }
}

impl Service<Name> for GuardedResolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = ConnectError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        Box::pin(self.clone().addresses(name))
    }
}

/// Limits the time to connect. The pool keeps connecting even for a request that was cancelled, so connections to a receiver that
/// never completes the handshake would otherwise stay forever.
#[derive(Clone)]
pub(crate) struct ConnectTimeout<C> {
    inner: C,
    within: Duration,
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

impl<C> Service<Uri> for ConnectTimeout<C>
where
    C: Service<Uri>,
    C::Response: Send + 'static,
    C::Error: Into<BoxError>,
    C::Future: Send + 'static,
{
    type Response = C::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connected = tokio::time::timeout(self.within, self.inner.call(uri));
        Box::pin(async move {
            match connected.await {
                Ok(connected) => connected.map_err(Into::into),
                Err(_) => Err(ConnectError::TimeOut.into()),
            }
        })
    }
}
