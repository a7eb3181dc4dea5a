//! HTTP requests to the service.

use std::error::Error;
use std::time::Duration;

use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::options::Options;

/// Longer than any deadline of the service. Clients usually time out after a minute.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(35);
/// Applies to each attempt to connect, so that an unresponsive address leaves time for another attempt.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Shorter than the five seconds after which common servers close an idle connection.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);
/// Maximum size of a response body, in bytes.
const MAX_RESPONSE_BYTES: usize = 1_024 * 1_024;
/// Maximum size of the response headers, in bytes.
const MAX_HEADER_BYTES: usize = 32 * 1_024;
/// Maximum number of requests in flight; further ones wait.
const MAX_CONCURRENT_REQUESTS: usize = 16;
const AGENT: &str = concat!("service-mcp/", env!("CARGO_PKG_VERSION"));

/// A client of the service. It follows no redirects and uses no proxy.
#[derive(Debug)]
pub(crate) struct Upstream {
    pub(crate) options: Options,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    slots: Semaphore,
}

/// A request that can be sent more than once.
#[derive(Debug, Clone)]
pub(crate) struct UpstreamRequest {
    pub(crate) path: &'static str,
    /// Includes the question mark, or is empty.
    pub(crate) query: String,
    /// `Some` makes the request a POST.
    pub(crate) body: Option<Bytes>,
    /// The same in every attempt, which makes the call idempotent.
    pub(crate) idempotency_key: Option<Uuid>,
}

/// A complete response.
#[derive(Debug, Clone)]
pub(crate) struct UpstreamResponse {
    pub(crate) status: StatusCode,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) location: Option<String>,
    pub(crate) body: Bytes,
}

/// Why there is no complete response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum UpstreamError {
    /// No connection: the service has not received the request.
    NotReached(String),
    /// The connection broke: the service may have received the request.
    Lost(String),
    /// Like `Lost`, after the request timeout.
    TimedOut,
    /// The response exceeds the maximum size.
    TooLarge,
}

impl Upstream {
    /// Creates the client without opening a connection.
    pub(crate) fn new(options: Options) -> Result<Self, rustls::Error> {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
        let tls = crate::tls::client_config()?;
        let https =
            HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1().wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .http1_max_buf_size(MAX_HEADER_BYTES)
            .build(https);
        Ok(Self { options, client, slots: Semaphore::new(MAX_CONCURRENT_REQUESTS) })
    }

    /// Sends a request once.
    pub(crate) async fn send(&self, outgoing: &UpstreamRequest) -> Result<UpstreamResponse, UpstreamError> {
        let _slot = self.slots.acquire().await;
        let request = self.request(outgoing).map_err(|error| UpstreamError::NotReached(error.to_string()))?;
        log::debug!("{} {}", request.method(), request.uri());
        let response =
            tokio::time::timeout(REQUEST_TIMEOUT, self.exchange(request)).await.unwrap_or(Err(UpstreamError::TimedOut));
        match &response {
            Ok(response) => log::debug!("{} from {}", response.status, outgoing.path),
            Err(error) => log::debug!("{error:?} from {}", outgoing.path),
        }
        response
    }

    fn request(&self, outgoing: &UpstreamRequest) -> Result<Request<Full<Bytes>>, hyper::http::Error> {
        let method = if outgoing.body.is_some() { Method::POST } else { Method::GET };
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{}{}", self.options.api_url.join(outgoing.path), outgoing.query))
            .header(header::AUTHORIZATION, self.options.bearer.clone())
            .header(header::ACCEPT, "application/json")
            .header(header::USER_AGENT, AGENT);
        if outgoing.body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        if let Some(key) = outgoing.idempotency_key {
            request = request.header("idempotency-key", key.to_string());
        }
        request.body(Full::new(outgoing.body.clone().unwrap_or_default()))
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<UpstreamResponse, UpstreamError> {
        let response = self.client.request(request).await.map_err(|error| {
            let reason = self.describe(&error);
            if error.is_connect() { UpstreamError::NotReached(reason) } else { UpstreamError::Lost(reason) }
        })?;
        let status = response.status();
        let (retry_after, location) = (retry_after(response.headers()), self.location(response.headers()));
        let body = self.body(response).await?;
        Ok(UpstreamResponse { status, retry_after, location, body })
    }

    async fn body(&self, response: Response<Incoming>) -> Result<Bytes, UpstreamError> {
        match Limited::new(response.into_body(), MAX_RESPONSE_BYTES).collect().await {
            Ok(body) => Ok(body.to_bytes()),
            Err(error) if error.is::<LengthLimitError>() => Err(UpstreamError::TooLarge),
            Err(error) => Err(UpstreamError::Lost(self.describe(error.as_ref()))),
        }
    }

    fn location(&self, headers: &HeaderMap) -> Option<String> {
        let location = headers.get(header::LOCATION)?.to_str().ok()?;
        Some(self.options.key.redact(location))
    }

    /// The innermost cause says what happened. The outer ones only say where.
    fn describe(&self, error: &(dyn Error + 'static)) -> String {
        let mut cause = error;
        while let Some(inner) = cause.source() {
            cause = inner;
        }
        self.options.key.redact(&cause.to_string())
    }
}

/// Parses only whole seconds, which is what the service sends.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(header::RETRY_AFTER).map(HeaderValue::to_str)?.ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}
