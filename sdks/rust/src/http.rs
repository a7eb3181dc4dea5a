//! The HTTP layer.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_core::Stream;
use futures_util::StreamExt;
use reqwest::header::HeaderMap;
use reqwest::{ClientBuilder, Method, redirect};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::error::Error;

/// A request, the same in each attempt.
#[derive(Clone, Debug)]
pub(crate) struct HttpRequest {
    pub(crate) method: Method,
    pub(crate) url: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) timeout: Duration,
}

pub(crate) struct HttpResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// A response whose body arrives in chunks.
pub(crate) struct HttpStream {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) pieces: Pieces,
}

pub(crate) type Pieces = Pin<Box<dyn Stream<Item = Result<Vec<u8>, HttpFailure>> + Send>>;
pub(crate) type Future<T> = Pin<Box<dyn std::future::Future<Output = T> + Send>>;

/// The reason why there is no response.
#[derive(Clone, Debug)]
pub(crate) struct HttpFailure {
    pub(crate) message: String,
    /// The service has not seen the request.
    pub(crate) is_unreached: bool,
    pub(crate) is_timeout: bool,
}

/// Sends requests: over the network, or in a test.
pub(crate) trait Exchange: fmt::Debug + Send + Sync {
    fn send(&self, request: HttpRequest) -> Future<Result<HttpResponse, HttpFailure>>;
    /// Like `send`, but does not read the body. `timeout` applies to the headers.
    fn open(&self, request: HttpRequest) -> Future<Result<HttpStream, HttpFailure>>;
}

#[derive(Debug)]
pub(crate) struct Http(reqwest::Client);

/// Timeout of connecting. Nothing was sent before a connection exists, so every call may be retried.
const CONNECT: Duration = Duration::from_secs(10);

impl Http {
    pub(crate) fn new(
        base_url: &str,
        configure: Option<Box<dyn FnOnce(ClientBuilder) -> ClientBuilder + Send>>,
    ) -> Result<Self, Error> {
        let builder = reqwest::Client::builder().connect_timeout(CONNECT).tls_backend_preconfigured(tls(base_url)?);
        let builder = if let Some(configure) = configure { configure(builder) } else { builder };
        // A redirect could send the key to another host.
        let client = builder.redirect(redirect::Policy::none()).build();
        client.map(Self).map_err(|error| Error::configuration(format!("no HTTP client: {error}")))
    }

    fn request(&self, message: HttpRequest) -> reqwest::RequestBuilder {
        let request = self.0.request(message.method, message.url).headers(message.headers);
        if let Some(body) = message.body { request.body(body) } else { request }
    }
}

/// TLS with ring and the certificate authorities that the machine trusts.
fn tls(base_url: &str) -> Result<ClientConfig, Error> {
    let failed = |error: rustls::Error| Error::configuration(format!("no TLS: {error}"));
    let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(failed)?;
    // A container that only talks to a neighbour may have no certificate authorities.
    let builder = if base_url.starts_with("http:") {
        builder.with_root_certificates(RootCertStore::empty())
    } else {
        builder.with_platform_verifier().map_err(failed)?
    };
    Ok(builder.with_no_client_auth())
}

impl Exchange for Http {
    fn send(&self, message: HttpRequest) -> Future<Result<HttpResponse, HttpFailure>> {
        let timeout = message.timeout;
        let request = self.request(message).timeout(timeout);
        Box::pin(async move {
            let response = request.send().await.map_err(failed)?;
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            let body = response.bytes().await.map_err(lost)?.to_vec();
            Ok(HttpResponse { status, headers, body })
        })
    }

    fn open(&self, message: HttpRequest) -> Future<Result<HttpStream, HttpFailure>> {
        let timeout = message.timeout;
        let request = self.request(message);
        Box::pin(async move {
            let response = tokio::time::timeout(timeout, request.send()).await.map_err(|_| late())?.map_err(failed)?;
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            let pieces = response.bytes_stream().map(|piece| piece.map(|bytes| bytes.to_vec()).map_err(lost));
            Ok(HttpStream { status, headers, pieces: Box::pin(pieces) })
        })
    }
}

pub(crate) fn late() -> HttpFailure {
    HttpFailure { message: "the service did not answer in time".to_owned(), is_unreached: false, is_timeout: true }
}

pub(crate) fn endless() -> HttpFailure {
    HttpFailure { message: "an event of the stream does not end".to_owned(), is_unreached: false, is_timeout: false }
}

fn failed(error: reqwest::Error) -> HttpFailure {
    let is_unreached = error.is_connect() || error.is_builder();
    HttpFailure { is_unreached, ..lost(error) }
}

fn lost(error: reqwest::Error) -> HttpFailure {
    if error.is_timeout() {
        return late();
    }
    let error = error.without_url();
    let mut message = format!("no answer from the service: {error}");
    let mut cause = std::error::Error::source(&error);
    while let Some(one) = cause {
        message = format!("{message}: {one}");
        cause = one.source();
    }
    HttpFailure { message, is_unreached: false, is_timeout: false }
}
