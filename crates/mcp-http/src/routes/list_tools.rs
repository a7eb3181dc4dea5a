//! `GET` and `POST /api/mcp/tools/list`: the tools that a key may use.

use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use actix_web::{HttpRequest, HttpResponse, web};
use domain::Error;
use domain::kernel::input::{Input, InputMode, Problems, json};
use domain::limits::Class;
use domain::tools::Feature;
use http_core::endpoint::run_guarded;
use http_core::errors::HttpError;
use http_core::query::{self, Query, QueryReader};
use http_core::request_context::RequestContext;
use http_core::{AppState, body};

use super::admit_key;
use crate::listing::{ListRequest, RequestedFeatures, ToolListResponse, parse_features};

pub(super) const GET: &str = "GET /api/mcp/tools/list";
/// Counts as a read although it is a POST.
pub(super) const POST: &str = "POST /api/mcp/tools/list";

impl Query for ListRequest {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let [denied, schemas, outputs, features] = Self::NAMES;
        Self {
            include_denied: query.choice(denied, parse_flag, flags),
            include_schemas: query.choice(schemas, parse_flag, flags),
            include_output_schemas: query.choice(outputs, parse_flag, flags),
            features: query.choice(features, parse_features, Feature::allowed_values),
        }
    }
}

impl Query for RequestedFeatures {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let [.., features] = ListRequest::NAMES;
        Self(query.choice(features, parse_features, Feature::allowed_values))
    }
}

fn parse_flag(text: &str) -> Option<bool> {
    text.parse().ok()
}

fn flags() -> String {
    "true, false".to_owned()
}

pub(super) async fn answer(request: HttpRequest, state: web::Data<AppState>, takes_body: bool) -> HttpResponse {
    RequestContext::of(&request).set_route("/api/mcp/tools/list");
    run_guarded(&request, state.settings.deadline_of(Class::Read), async {
        let caller = admit_key(&request, &state, Class::Read).await?;
        let mut problems = Problems::default();
        let mut list = query::read::<ListRequest>(request.query_string(), &mut problems);
        if takes_body && has_body(&request) {
            let raw = body::receive(&request).await?;
            list = merge(list, from_body(&raw, &mut problems)?, &mut problems);
        }
        problems.into_result()?;
        Ok::<_, HttpError>(HttpResponse::Ok().json(ToolListResponse::of(&caller, &list)))
    })
    .await
}

/// The body of a POST is optional: flags may be in the query.
fn has_body(request: &HttpRequest) -> bool {
    let headers = request.headers();
    let is_empty = headers.get(CONTENT_LENGTH).is_none_or(|length| length.as_bytes() == b"0");
    !is_empty || headers.contains_key(TRANSFER_ENCODING) || headers.contains_key(CONTENT_TYPE)
}

fn from_body(raw: &[u8], problems: &mut Problems) -> Result<ListRequest, Error> {
    if raw.is_empty() {
        return Ok(ListRequest::default());
    }
    Ok(<ListRequest as Input>::read(json::parse_object(raw)?, "", InputMode::Create, problems))
}

/// Merges query and body.
fn merge(query: ListRequest, body: ListRequest, problems: &mut Problems) -> ListRequest {
    let [denied, schemas, outputs, features] = ListRequest::NAMES;
    ListRequest {
        include_denied: merge_flag(denied, query.include_denied, body.include_denied, problems),
        include_schemas: merge_flag(schemas, query.include_schemas, body.include_schemas, problems),
        include_output_schemas: merge_flag(
            outputs,
            query.include_output_schemas,
            body.include_output_schemas,
            problems,
        ),
        features: merge_flag(features, query.features, body.features, problems),
    }
}

/// A flag from the query or the body. A flag in both is an error.
fn merge_flag<T>(name: &'static str, query: Option<T>, body: Option<T>, problems: &mut Problems) -> Option<T> {
    if query.is_some() && body.is_some() {
        problems.shape(name, "invalid_value", "must not be in both the query and the body");
    }
    query.or(body)
}
