//! `GET /api/mcp/session`: the API key, its permissions and its limits.

use actix_web::{HttpRequest, HttpResponse, web};
use domain::identity::access::{Caller, Preset};
use domain::identity::api_keys::{self, ApiKey};
use domain::kernel::input::Problems;
use domain::kernel::input::schema::OptionalTimestampText;
use domain::limits::{Class, Plan, limit_of};
use domain::ports::Ports;
use domain::tools::{Feature, Tool, ToolPermission};
use domain::{ApiKeyId, WorkspaceId};
use http_core::endpoint::run_guarded;
use http_core::errors::HttpError;
use http_core::request_context::RequestContext;
use http_core::{AppState, query};
use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;

use super::admit_key;

pub(super) const ROUTE: &str = "GET /api/mcp/session";

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToolSession")]
pub(super) struct Session<'a> {
    workspace: SessionWorkspace<'a>,
    key: SessionKey<'a>,
    permissions: Permissions,
    allowed_tool_count: usize,
    denied_tool_count: usize,
    allowed_tool_names: Vec<Tool>,
    features: Vec<Feature>,
    rate_limit: RateLimit,
    trial: Option<SessionTrial>,
}

#[derive(Serialize, JsonSchema)]
struct SessionWorkspace<'a> {
    id: WorkspaceId,
    name: &'a str,
    plan: Plan,
}

#[derive(Serialize, JsonSchema)]
struct SessionKey<'a> {
    id: ApiKeyId,
    name: &'a str,
    preset: Option<Preset>,
    #[serde(with = "OptionalTimestampText")]
    expires_at: Option<OffsetDateTime>,
}

#[derive(Serialize, JsonSchema)]
struct Permissions {
    granted: Vec<ToolPermission>,
    denied: Vec<ToolPermission>,
}

/// Requests per minute, per class.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "field names carry their unit")]
struct RateLimit {
    reads_per_minute: u64,
    writes_per_minute: u64,
    bulk_per_minute: u64,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SessionTrial {
    calls_limit: u32,
    calls_remaining: u32,
    #[serde(with = "OptionalTimestampText")]
    expires_at: Option<OffsetDateTime>,
}

pub(super) async fn answer(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    RequestContext::of(&request).set_route("/api/mcp/session");
    run_guarded(&request, state.settings.deadline_of(Class::Read), async {
        let caller = admit_key(&request, &state, Class::Read).await?;
        let mut problems = Problems::default();
        query::read::<()>(request.query_string(), &mut problems);
        problems.into_result()?;
        // Read from the database: the remaining calls of a trial change with each call.
        let key = api_keys::read_own(&state.ports, &caller).await?;
        Ok::<_, HttpError>(HttpResponse::Ok().json(describe(&state.ports, &caller, &key)))
    })
    .await
}

fn describe<'a>(ports: &Ports, caller: &'a Caller, key: &'a ApiKey) -> Session<'a> {
    let allowed: Vec<_> = Tool::ALL.iter().copied().filter(|tool| caller.check_tool(*tool).is_ok()).collect();
    let limit = |class| limit_of(class, &caller.workspace().allowance(), &ports.settings.limits);
    let workspace = caller.workspace();
    Session {
        workspace: SessionWorkspace { id: workspace.id, name: &workspace.name, plan: workspace.plan },
        key: SessionKey { id: key.id, name: &key.name, preset: key.preset, expires_at: key.expires_at },
        permissions: Permissions {
            granted: caller.tools().granted().collect(),
            denied: caller.tools().denied().collect(),
        },
        allowed_tool_count: allowed.len(),
        denied_tool_count: Tool::ALL.len() - allowed.len(),
        features: caller.tools().features().collect(),
        allowed_tool_names: allowed,
        rate_limit: RateLimit {
            reads_per_minute: limit(Class::Read),
            writes_per_minute: limit(Class::Write),
            bulk_per_minute: limit(Class::Bulk),
        },
        trial: key.trial.as_ref().map(|trial| SessionTrial {
            calls_limit: trial.calls_limit,
            calls_remaining: trial.calls_remaining(),
            expires_at: key.expires_at,
        }),
    }
}
