//! The MCP server, which forwards every request of the client to the service.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hyper::body::Bytes;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject, ListToolsResult,
    PaginatedRequestParams, ResultType, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;
use tokio::time::Instant;
use uuid::Uuid;

use crate::catalogue::{Catalogue, ListedTool};
use crate::options::Limits;
use crate::problem::{Problem, check_response};
use crate::retry::{RetryOutcome, RetrySafety, send_with_retries};
use crate::upstream::{Upstream, UpstreamRequest};

const SESSION: &str = "/api/mcp/session";
const LIST: &str = "/api/mcp/tools/list";
const CALL: &str = "/api/mcp/tools/call";

/// How long the last list of tools is used to check calls. Tools change only with a release of the service, and the service
/// checks the key's permissions on every call.
const TOOL_LIST_TTL: Duration = Duration::from_mins(1);

/// Appended to an error if an earlier attempt got no response.
const EARLIER_ATTEMPT_NOTE: &str = "An earlier attempt of this call got no response and may have taken effect: \
    check before you call again.";

/// The instructions for models, which the service's own endpoint shares.
const INSTRUCTIONS: &str = include_str!("instructions.txt");

/// Forwards a client's requests to the service.
#[derive(Debug)]
pub(crate) struct Adapter {
    upstream: Upstream,
    last_list: Mutex<Option<LastList>>,
}

#[derive(Debug)]
struct LastList {
    listed_at: Instant,
    tools: BTreeMap<String, ListedTool>,
}

impl Adapter {
    /// Creates the adapter without sending anything.
    pub(crate) fn new(upstream: Upstream) -> Self {
        Self { upstream, last_list: Mutex::new(None) }
    }

    /// Checks once whether the key works, and only logs the result: clients may start the adapter before the service.
    pub(crate) async fn check_key(&self) {
        let request = UpstreamRequest { path: SESSION, query: String::new(), body: None, idempotency_key: None };
        let outcome = RetryOutcome { last: self.upstream.send(&request).await, may_have_acted: false };
        match check_response(&self.upstream.options, SESSION, outcome) {
            Ok(_) => log::info!("the service accepts the key"),
            Err(problem) => log::warn!("{}", problem.text),
        }
    }

    async fn send(&self, request: &UpstreamRequest, retry_safety: RetrySafety) -> RetryOutcome {
        send_with_retries(retry_safety, jitter, || self.upstream.send(request)).await
    }

    /// Requests the list of tools; without schemas if only the names matter.
    async fn catalogue(&self, with_schemas: bool) -> Result<Catalogue, Problem> {
        let options = &self.upstream.options;
        let query = list_query(&options.limits, with_schemas);
        let request = UpstreamRequest { path: LIST, query, body: None, idempotency_key: None };
        let outcome = self.send(&request, RetrySafety::Reads).await;
        let body = check_response(options, LIST, outcome)?;
        let catalogue: Catalogue =
            serde_json::from_slice(&body).map_err(|error| Problem::unreadable(options, &error))?;
        let last = LastList { listed_at: Instant::now(), tools: catalogue.listed(&options.limits) };
        *self.last_list.lock().unwrap_or_else(PoisonError::into_inner) = Some(last);
        Ok(catalogue)
    }

    /// A tool in the last list, and when it was listed.
    fn last_listed(&self, name: &str) -> Option<(Instant, ListedTool)> {
        let last = self.last_list.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().and_then(|last| last.tools.get(name).map(|listed| (last.listed_at, *listed)))
    }

    /// The retry safety of a tool, or a problem if the command line excludes the tool.
    async fn retry_safety_within_limits(&self, name: &str) -> Result<RetrySafety, Problem> {
        let limits = &self.upstream.options.limits;
        let known = self.last_listed(name);
        if limits.features.is_empty() && !limits.read_only {
            // There is nothing to check. A tool that was never listed might do anything.
            return Ok(known.map_or(RetrySafety::WritesEachTime, |(_, listed)| listed.retry_safety));
        }
        let recent = known.filter(|(listed_at, _)| listed_at.elapsed() < TOOL_LIST_TTL);
        let listed = if let Some((_, listed)) = recent {
            Some(listed)
        } else {
            let catalogue = self.catalogue(false).await.map_err(|problem| problem.with_effect(false))?;
            catalogue.listed(limits).get(name).copied()
        };
        match listed {
            Some(ListedTool { is_offered: true, retry_safety }) => Ok(retry_safety),
            Some(ListedTool { retry_safety, .. }) if limits.read_only && !retry_safety.reads() => {
                Err(Problem::not_offered(format!("{name} is not read-only, and this adapter runs with --read-only.")))
            }
            _ => Err(Problem::not_offered(format!(
                "{name} is not among the tools that this adapter offers with its --features and --read-only options."
            ))),
        }
    }

    async fn call(&self, name: &str, arguments: JsonObject) -> Result<CallToolResult, Problem> {
        let options = &self.upstream.options;
        let retry_safety = self.retry_safety_within_limits(name).await?;
        let request = UpstreamRequest {
            path: CALL,
            query: String::new(),
            body: Some(Bytes::from(json!({"name": name, "arguments": arguments}).to_string())),
            idempotency_key: (!retry_safety.reads()).then(Uuid::new_v4),
        };
        let outcome = self.send(&request, retry_safety).await;
        let may_have_acted = outcome.may_have_acted;
        let body = check_response(options, CALL, outcome).map_err(|problem| problem.with_effect(may_have_acted))?;
        let mut result: CallToolResult = serde_json::from_slice(&body)
            .map_err(|error| Problem::unreadable(options, &error).with_effect(!retry_safety.reads()))?;
        // The current revision requires it. The SDK removes it for clients of older revisions.
        result.result_type = Some(ResultType::COMPLETE);
        if may_have_acted && result.is_error == Some(true) {
            // "Not found" or a version conflict may be the result of the earlier attempt.
            result.content.push(ContentBlock::text(EARLIER_ATTEMPT_NOTE));
        }
        Ok(result)
    }
}

impl ServerHandler for Adapter {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("service-mcp", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|request| request.cursor.is_some()) {
            return Err(ErrorData::invalid_params("tools are listed in one page without a cursor", None));
        }
        let catalogue = self.catalogue(true).await.map_err(Problem::into_error)?;
        Ok(ListToolsResult::with_all_items(catalogue.into_offered_tools(&self.upstream.options.limits)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        tokio::select! {
            // The client has cancelled the call and gets no response.
            () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
            result = self.call(&request.name, request.arguments.unwrap_or_default()) => {
                result.or_else(Problem::into_result).map(Into::into)
            }
        }
    }
}

/// The query string with its question mark, or empty.
fn list_query(limits: &Limits, with_schemas: bool) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    if with_schemas {
        query.append_pair("includeSchemas", "true");
    }
    if !limits.features.is_empty() {
        let features: Vec<&str> = limits.features.iter().map(String::as_str).collect();
        query.append_pair("features", &features.join(","));
    }
    let query = query.finish();
    if query.is_empty() { query } else { format!("?{query}") }
}

/// A number from 0 to 1.
fn jitter() -> f64 {
    let [byte, ..] = *Uuid::new_v4().as_bytes();
    f64::from(byte) / f64::from(u8::MAX)
}
