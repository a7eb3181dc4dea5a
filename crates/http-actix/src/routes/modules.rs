//! `/api/modules`: external systems report events of records that they own.

use actix_web::HttpRequest;
use domain::Error;
use domain::identity::access::{AccessRequirement, ReportEvents};
use domain::kernel::input::{Field, Problems};
use domain::webhooks::{self, ReportAccepted, ReportFields, ReportPayload, Reporter};
use http_core::admission::{Admission, AuthScheme, admit_caller, note_refusal};
use http_core::body::{self, Body, BodyPresence};
use http_core::description::{Accepted, Schemas};
use http_core::endpoint::{Action, EndpointRequest, HandlerResult, StoredResponse};
use http_core::errors::HttpError;
use http_core::idempotency::IdempotencyKey;
use http_core::{AppState, LimitPolicy, operation, responses};
use serde::Deserialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;

/// A report whose payload is stored verbatim.
pub(crate) struct ReportBody(ReportFields);

/// Finds the module in the path and checks that the caller may report its events. Runs before the body is read, because
/// both depend only on the path.
pub(crate) enum ReportAccess {}

impl Admission for ReportAccess {
    type Granted = Reporter;
    const NEEDS: Option<AccessRequirement> = <ReportEvents as Admission>::NEEDS;
    const AUTH_SCHEME: AuthScheme = AuthScheme::Caller;

    async fn admit(request: &HttpRequest, state: &AppState, policy: LimitPolicy) -> Result<Reporter, HttpError> {
        let caller = admit_caller(request, state, policy.class).await?;
        let module = request.match_info().get("module").unwrap_or_default();
        let reporter = caller.permit::<ReportEvents>().and_then(|permit| Reporter::new(permit, module));
        Ok(reporter.inspect_err(|error| note_refusal(state, &caller, error))?)
    }
}

#[derive(Deserialize)]
struct RawPayload<'a> {
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
}

impl Body for ReportBody {
    const PRESENCE: BodyPresence = BodyPresence::Needed;

    fn schema(schemas: &mut Schemas) -> Option<Json> {
        body::Create::<ReportFields>::schema(schemas)
    }

    fn read(raw: &[u8], problems: Problems) -> Result<Self, Error> {
        let mut fields = body::Create::<ReportFields>::read(raw, problems)?.0;
        // The same text was just parsed, so it is an object with this member.
        if let Ok(RawPayload { payload: Some(payload) }) = serde_json::from_slice(raw) {
            // The report is passed on unchanged, so receivers must be able to parse its numbers.
            let parsed: Result<Json, _> = serde_json::from_str(payload.get());
            parsed.map_err(|error| Error::InvalidJson(error.to_string()))?;
            fields.payload = Field::Set(ReportPayload::verbatim(payload));
        }
        Ok(Self(fields))
    }
}

operation! {
    /// Report an event of an external module.
    Report = "POST /api/modules/{module}/events", access: ReportAccess, headers: IdempotencyKey, body: ReportBody
    => report -> Accepted<ReportAccepted>
}

async fn report(call: EndpointRequest<Report>) -> HandlerResult {
    let outcome = webhooks::report(&call.ports, &call.permit, call.idempotency(), call.body.0).await?;
    Ok(responses::idempotent::<Report>(outcome))
}

impl Action for Report {
    type Output = ReportAccepted;

    fn response(reported: &ReportAccepted) -> StoredResponse {
        responses::accepted_response(reported)
    }
}
