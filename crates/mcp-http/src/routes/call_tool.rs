//! `POST /api/mcp/tools/call`: one call of a tool.

use actix_web::http::header::ContentType;
use actix_web::{HttpRequest, HttpResponse, web};
use domain::Error;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Problems, json, refuse_unknown};
use domain::limits::Class;
use domain::ports::StoreError;
use domain::tools::Tool;
use http_core::admission::{count_caller, identify};
use http_core::conditions::Headers;
use http_core::endpoint::run_guarded;
use http_core::errors::HttpError;
use http_core::idempotency::{IdempotencyKey, fingerprint};
use http_core::request_context::RequestContext;
use http_core::responses::REPLAYED;
use http_core::{AppState, body, query};

use super::{check_key, with_deadline};
use crate::call::{CallOutcome, body_of, call};
use crate::tool::CallKey;
use crate::upserts::cost_of;

pub(super) const ROUTE: &str = "POST /api/mcp/tools/call";

/// The parsed body.
struct CallBody {
    /// `None` if there is no such tool.
    tool: Option<Tool>,
    arguments: Map<String, Json>,
    idempotency: Option<CallKey>,
}

pub(super) async fn answer(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    RequestContext::of(&request).set_route("/api/mcp/tools/call");
    run_guarded(&request, state.settings.deadline_of(Class::Bulk), async {
        let caller = identify(&request, &state).await?;
        // The class depends on the body, so the body is read first; its errors are reported after the limit.
        let received = with_deadline(state.settings.deadline_of(Class::Write), body::receive(&request)).await;
        let parsed = received.and_then(|raw| Ok(read(&request, &raw)?));
        let target = parsed.as_ref().ok().and_then(|parsed| Some((parsed.tool?, &parsed.arguments)));
        let cost = target.map_or(Class::Write.into(), |(tool, arguments)| {
            cost_of(tool, arguments.get("items").unwrap_or(&Json::Null))
        });
        count_caller(&request, &state, &caller, cost).await?;
        check_key(&caller)?;
        let CallBody { tool, arguments, idempotency } = parsed?;
        let tool = tool.ok_or(Error::UnknownTool)?;
        let bound = state.settings.deadline_of(cost.class);
        let outcome = with_deadline(bound, call(&state.ports, &caller, tool, arguments, idempotency)).await?;
        let body = body_of(&outcome).map_err(|error| Error::from(StoreError::Internal(error.to_string())))?;
        let mut response = HttpResponse::Ok();
        response.insert_header(ContentType::json());
        if matches!(&outcome, CallOutcome::Done(output) if output.is_replayed) {
            response.insert_header((REPLAYED, "true"));
        }
        Ok::<_, HttpError>(response.body(body))
    })
    .await
}

fn read(request: &HttpRequest, raw: &[u8]) -> Result<CallBody, Error> {
    let mut object = json::parse_object(raw)?;
    let mut problems = Problems::default();
    query::read::<()>(request.query_string(), &mut problems);
    let IdempotencyKey(key) = IdempotencyKey::read(request.headers(), &mut problems);
    let name = object.remove("name");
    let name = name.as_ref().and_then(Json::as_str);
    if name.is_none() {
        problems.shape("name", "required", "name is required: send the name of a tool");
    }
    let arguments = match object.remove("arguments") {
        None | Some(Json::Null) => Map::new(),
        Some(Json::Object(arguments)) => arguments,
        Some(_) => {
            problems.shape("arguments", "invalid_type", "must be an object");
            Map::new()
        }
    };
    // MCP clients may add `_meta` to the parameters of any request.
    object.remove("_meta");
    refuse_unknown(&object, "", &["name", "arguments"], &mut problems);
    problems.into_result()?;
    let idempotency = key.map(|key| CallKey { key, fingerprint: fingerprint([b"tools/call", b"", raw]) });
    Ok(CallBody { tool: name.and_then(Tool::parse), arguments, idempotency })
}
