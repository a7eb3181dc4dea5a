//! Export by OTLP over HTTP, configured by the standard OpenTelemetry variables.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use opentelemetry::{KeyValue, global};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tokio::runtime::Runtime;

use crate::traces::spans::begin_recording;

/// Setting either of them enables the export.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
const DISABLED: &str = "OTEL_SDK_DISABLED";
/// How long a collector may take to respond.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum size of a response, in bytes.
const MAX_RESPONSE: usize = 64 * 1024;
/// How long the program waits at its end for the last spans to be sent.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(3);

/// Why traces cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("the address of the trace collector (OTEL_EXPORTER_OTLP_ENDPOINT) cannot be used: {0}")]
    Endpoint(String),
    #[error("the thread that exports traces did not start: {0}")]
    Thread(#[from] std::io::Error),
    #[error("TLS to the trace collector cannot be set up: {0}")]
    Tls(String),
}

/// The running export. Dropping it sends the last spans.
pub struct Export {
    provider: SdkTracerProvider,
    /// Must outlive the provider, which sends through it.
    runtime: Option<Runtime>,
}

impl fmt::Debug for Export {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Export")
    }
}

impl Drop for Export {
    fn drop(&mut self) {
        if let Err(error) = self.provider.shutdown_with_timeout(FLUSH_TIMEOUT) {
            eprintln!("the last traces were not exported: {error}");
        }
        // Not joined, because the program may end inside another runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Starts the export if the environment asks for it; otherwise `None`. The SDK reads the other variables: headers, sampling,
/// and the sizes of its queue. Spans that do not fit in the queue are dropped.
///
/// # Errors
/// If the address of the collector is invalid, or a thread or TLS cannot be set up.
pub fn install(program: &'static str, version: &'static str) -> Result<Option<Export>, ExportError> {
    if !is_enabled() {
        return Ok(None);
    }
    let (runtime, exporter) = exporter()?;
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
    let resource = Resource::builder_empty()
        .with_attributes([KeyValue::new("service.name", program), KeyValue::new("service.version", version)])
        .with_detectors(&[Box::new(opentelemetry_sdk::resource::EnvResourceDetector::new())]);
    let resource = match std::env::var("OTEL_SERVICE_NAME") {
        Ok(name) if !name.is_empty() => resource.with_service_name(name),
        _ => resource,
    };
    let provider = SdkTracerProvider::builder().with_resource(resource.build()).with_batch_exporter(exporter).build();
    global::set_tracer_provider(provider.clone());
    begin_recording();
    Ok(Some(Export { provider, runtime: Some(runtime) }))
}

/// Checks that [`install`] can do what the environment asks for, if anything.
pub fn check() -> Result<(), ExportError> {
    if is_enabled() {
        exporter()?.0.shutdown_background();
    }
    Ok(())
}

fn is_enabled() -> bool {
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_disabled = std::env::var(DISABLED).is_ok_and(|value| value.eq_ignore_ascii_case("true"));
    !is_disabled && ENDPOINTS.iter().any(is_set)
}

fn exporter() -> Result<(Runtime, SpanExporter), ExportError> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).thread_name("traces").enable_all().build()?;
    let client = Sender { client: client()?, runtime: runtime.handle().clone() };
    let exporter = SpanExporter::builder().with_http().with_http_client(client).build();
    match exporter {
        Ok(exporter) => Ok((runtime, exporter)),
        Err(error) => {
            runtime.shutdown_background();
            Err(ExportError::Endpoint(error.to_string()))
        }
    }
}

type Connections = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

fn client() -> Result<Connections, ExportError> {
    let tls = tls::client_config().map_err(|error| ExportError::Tls(error.to_string()))?;
    let connector = hyper_rustls::HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1();
    Ok(Client::builder(TokioExecutor::new()).build(connector.build()))
}

/// Sends on a dedicated runtime, because the SDK exports from a plain thread.
#[derive(Clone)]
struct Sender {
    client: Connections,
    runtime: tokio::runtime::Handle,
}

impl fmt::Debug for Sender {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Sender")
    }
}

#[async_trait]
impl HttpClient for Sender {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        let exchange = async move {
            let response = client.request(request.map(Full::new)).await?;
            let (head, body) = response.into_parts();
            let body = Limited::new(body, MAX_RESPONSE).collect().await?.to_bytes();
            Ok::<_, HttpError>(Response::from_parts(head, body))
        };
        // A timer must be created inside the runtime.
        self.runtime.spawn(async move { tokio::time::timeout(RESPONSE_TIMEOUT, exchange).await }).await??
    }
}
