//! Checks whether the service answers at an address.

use std::time::Duration;

use anyhow::Context;
use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::Bytes;
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

const TIMEOUT: Duration = Duration::from_secs(5);
/// Much larger than the response of the service.
const MAX_BYTES: usize = 16 * 1024;

/// Who responded.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Responder {
    /// The service, or another installation of it.
    Service,
    /// Something else, with this status.
    Other(u16),
}

/// Gets `/healthz` below a base URL, without credentials.
pub(super) fn probe(base_url: &str) -> anyhow::Result<Responder> {
    let uri: hyper::Uri = format!("{}/healthz", base_url.trim_end_matches('/')).parse()?;
    block_on(async move { tokio::time::timeout(TIMEOUT, get(uri)).await.context("no answer within 5 s")? })
}

async fn get(uri: hyper::Uri) -> anyhow::Result<Responder> {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    let https = HttpsConnectorBuilder::new().with_tls_config(tls::client_config()?).https_or_http().enable_http1();
    let client = Client::builder(TokioExecutor::new()).build::<_, Empty<Bytes>>(https.wrap_connector(tcp));
    let response = client.get(uri).await.map_err(|error| anyhow::anyhow!(root_cause(&error)))?;
    let status = response.status().as_u16();
    let body = Limited::new(response.into_body(), MAX_BYTES).collect().await;
    let body = body.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let is_healthy = serde_json::from_slice::<serde_json::Value>(&body).is_ok_and(|body| body["status"] == "ok");
    Ok(if status == 200 && is_healthy { Responder::Service } else { Responder::Other(status) })
}

/// The innermost cause is the one that an operator can fix.
fn root_cause(error: &(dyn std::error::Error + 'static)) -> String {
    let mut last = error;
    while let Some(cause) = last.source() {
        last = cause;
    }
    last.to_string()
}

/// Runs to completion on this thread, which belongs to the check.
pub(super) fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().context("no async runtime")?.block_on(work)
}
