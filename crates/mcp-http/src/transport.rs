//! Streamable HTTP, implemented by the official SDK: the bridge from actix to the SDK, and the handler behind it.
//!
//! Stateless: each request is self-contained in every revision of the protocol, so that any instance can answer it.
//! The current revision and those with `initialize` share the path; the SDK checks versions and headers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use actix_web::http::header::{ACCEPT, AUTHORIZATION, HeaderMap};
use actix_web::web::Bytes;
use domain::Error;
use domain::identity::access::Caller;
use domain::kernel::input::Problems;
use domain::kernel::input::json::{Json, Map};
use domain::ports::Ports;
use domain::tools::Tool as ToolName;
use http_body_util::{BodyExt, Full};
use http_core::body::MAX_BYTES;
use http_core::conditions::Headers;
use http_core::endpoint::catch_panic;
use http_core::errors::{HttpError, message_of};
use http_core::idempotency::{IdempotencyKey, fingerprint};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use telemetry::log_context::Context;

use crate::call::{CallOutcome, call, refusal_text};
use crate::listing::{Annotations, RequestedFeatures, allowed_entries};
use crate::messages::{self, Message};
use crate::outputs::RenderedOutput;
use crate::tool::{CallKey, Entry};
use crate::tools::CATALOGUE;

/// The server instructions for models, shared with the local adapter. The file is in the adapter's crate, which is published
/// and cannot include files of other crates.
const INSTRUCTIONS: &str = include_str!("../../service-mcp/src/instructions.txt");
/// How long a client may cache the list of tools, in milliseconds. A key's permissions never change.
const LIST_TTL_MS: u64 = 60_000;

/// A response of the transport.
pub(crate) struct TransportResponse {
    pub(crate) status: u16,
    pub(crate) content_type: Option<String>,
    pub(crate) body: Bytes,
    /// Whether it is the stored response to an earlier call.
    pub(crate) is_replayed: bool,
}

/// Handles one message of a caller, offering the tools of these features. Fails with the text of an internal error, for
/// the log.
pub(crate) async fn answer(
    headers: &HeaderMap,
    message: Message,
    ports: Arc<Ports>,
    caller: Caller,
    features: RequestedFeatures,
) -> Result<TransportResponse, String> {
    if let Some(refusal) = message.refusal {
        return Ok(refusal);
    }
    // The response is always JSON, regardless of `Accept`; the credential is already verified.
    let mut request = http::Request::post("/api/mcp").header(ACCEPT.as_str(), "application/json, text/event-stream");
    for (name, value) in headers {
        if name != ACCEPT && name != AUTHORIZATION {
            request = request.header(name.as_str(), value.as_bytes());
        }
    }
    let idempotency = idempotency_key(headers);
    let request = request.body(Full::new(message.raw)).map_err(|error| error.to_string())?;
    let (caller, features) = (Arc::new(caller), Arc::new(features));
    let replayed = Arc::new(AtomicBool::new(false));
    let handler = Handler {
        ports,
        caller,
        features,
        idempotency,
        replayed: Arc::clone(&replayed),
        log_context: Context::current(),
    };
    // Built per request: the handler holds the caller, so requests cannot mix.
    let service =
        StreamableHttpService::new(move || Ok(handler.clone()), Arc::<NeverSessionManager>::default(), config());
    let response = service.handle(request).await;
    let (head, body) = response.into_parts();
    let body = body.collect().await.map_err(|error| error.to_string())?.to_bytes();
    let content_type = head.headers.get(http::header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_json = content_type.is_some_and(|kind| kind.starts_with("application/json"));
    if head.status.is_client_error() && !is_json {
        return Ok(messages::protocol_error(&message.id, headers, &String::from_utf8_lossy(&body)));
    }
    Ok(TransportResponse {
        status: head.status.as_u16(),
        content_type: content_type.map(str::to_owned),
        body,
        is_replayed: replayed.load(Ordering::Relaxed),
    })
}

/// Any host name is allowed, because the service may have several; origins were checked before.
fn config() -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_sse_keep_alive(None)
        .with_max_request_body_bytes(MAX_BYTES)
}

/// Reads `Idempotency-Key`. An invalid one is ignored, because the SDK has no error for it.
fn idempotency_key(headers: &HeaderMap) -> Option<String> {
    IdempotencyKey::read(headers, &mut Problems::default()).0
}

/// Handles one message.
#[derive(Clone)]
struct Handler {
    ports: Arc<Ports>,
    caller: Arc<Caller>,
    features: Arc<RequestedFeatures>,
    idempotency: Option<String>,
    /// Set by a call that is answered with a stored response, because the SDK's responses cannot carry it.
    replayed: Arc<AtomicBool>,
    /// Passed on explicitly, because the SDK handles messages in a separate task.
    log_context: Context,
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let name = Implementation::new("workspace-service", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(name)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        // One page: some clients never request a second.
        if request.is_some_and(|request| request.cursor.is_some()) {
            return Err(ErrorData::invalid_params("tools are listed in one page without a cursor", None));
        }
        let tools = allowed_entries(&self.caller, &self.features).map(tool_of).collect();
        let mut result = ListToolsResult::with_all_items(tools);
        result.ttl_ms = Some(LIST_TTL_MS);
        result.cache_scope = Some(CacheScope::Private);
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.log_context.clone().scope(self.run_tool(request)).await
    }
}

impl Handler {
    async fn run_tool(&self, request: CallToolRequestParams) -> Result<CallToolResponse, ErrorData> {
        let name = ToolName::parse(&request.name);
        let tool = name.ok_or_else(|| ErrorData::invalid_params(message_of(&Error::UnknownTool), None))?;
        if !self.features.include(tool) {
            let message =
                format!("{tool} is not among the tools of the features that the address of this server names");
            return Err(ErrorData::invalid_params(message, None));
        }
        let arguments = request.arguments.unwrap_or_default();
        // Hashes the call instead of the message: a retried message has another id.
        let idempotency = self.idempotency.clone().map(|key| {
            let sent = serde_json::to_vec(&arguments).unwrap_or_default();
            CallKey { fingerprint: fingerprint([b"/api/mcp", b"", &sent]), key }
        });
        // Caught here, because the SDK's task would end without an answer.
        let outcome =
            catch_panic(async { Ok(call(&self.ports, &self.caller, tool, arguments, idempotency).await?) }).await;
        match outcome {
            Ok(CallOutcome::Done(output)) => {
                self.replayed.store(output.is_replayed, Ordering::Relaxed);
                Ok(result_of(&output)?.into())
            }
            Ok(CallOutcome::Refused(error, explanation)) => Ok(failed_result(&error, explanation.as_deref()).into()),
            Err(failure) => error_result(&failure).map(Into::into),
        }
    }
}

/// A tool in the protocol's form, built once.
fn tool_of(entry: &Entry) -> Tool {
    static TOOLS: OnceLock<Vec<Tool>> = OnceLock::new();
    TOOLS.get_or_init(|| CATALOGUE.iter().map(describe).collect())[entry.tool as usize].clone()
}

fn describe(entry: &Entry) -> Tool {
    let object = |schema: &Json| match schema {
        Json::Object(object) => Arc::new(object.clone()),
        _ => Arc::new(Map::new()),
    };
    let hints = Annotations::of(entry.tool);
    let annotations = ToolAnnotations::with_title(entry.title)
        .read_only(hints.read_only_hint)
        .destructive(hints.destructive_hint)
        .idempotent(hints.idempotent_hint)
        .open_world(hints.open_world_hint);
    let mut tool = Tool::new(entry.tool.as_str(), entry.description, object(&entry.input_schema));
    tool.title = Some(entry.title.to_owned());
    tool.output_schema = Some(object(&entry.output_schema));
    tool.annotations = Some(annotations);
    tool
}

fn result_of(output: &RenderedOutput) -> Result<CallToolResult, ErrorData> {
    let structured = serde_json::from_str(&output.structured).map_err(|error| {
        log::error!("the result of a tool is not JSON: {error}");
        ErrorData::internal_error("something went wrong on our side", None)
    })?;
    let mut result = CallToolResult::success(vec![ContentBlock::text(&output.text)]);
    result.structured_content = Some(structured);
    Ok(result)
}

fn failed_result(error: &Error, explanation: Option<&str>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(refusal_text(error, explanation))])
}

/// Failures that a model can act on are results; errors of the client or the service are protocol errors.
fn error_result(failure: &HttpError) -> Result<CallToolResult, ErrorData> {
    failure.log();
    match failure {
        HttpError::Domain(
            error @ (Error::InvalidArguments(_)
            | Error::IdempotencyConflict(_)
            | Error::TooManyEmails { .. }
            | Error::TooManyAudited { .. }
            | Error::QuotaExceeded { .. }
            | Error::ResponseBudgetExceeded { .. }
            | Error::LogBudgetExceeded { .. }
            | Error::TrialQuotaExceeded { .. }
            | Error::SearchTooSlow),
        ) => Ok(failed_result(error, None)),
        HttpError::Domain(error @ Error::Store(store)) if store.is_passing() => Ok(failed_result(error, None)),
        HttpError::Domain(
            error @ (Error::ToolDenied { .. } | Error::EventsUnreadable { .. } | Error::Forbidden(_)),
        ) => Err(ErrorData::invalid_params(error.client_message(), None)),
        other => Err(ErrorData::internal_error(other.message(), None)),
    }
}

#[cfg(test)]
mod tests;
