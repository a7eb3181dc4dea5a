//! `/api/modules`: external systems report events of records that they own.

use actix_web::HttpRequest;
use domain::Error;
use domain::identity::access::ReportEvents;
use domain::kernel::input::{Field, Problems};
use domain::webhooks::{self, Module, ReportAccepted, ReportFields, ReportPayload};
use http_core::body::{self, Body, BodyPresence};
use http_core::endpoint::{Action, EndpointRequest, HandlerResult, StoredResponse};
use http_core::idempotency::IdempotencyKey;
use http_core::path::PathIds;
use http_core::{operation, responses};
use serde::Deserialize;
use serde_json::value::RawValue;

/// A report whose payload is stored verbatim.
pub(crate) struct ReportBody(ReportFields);

/// The module in the path; `None` if there is no such module.
pub(crate) struct ModuleName(Option<Module>);

impl PathIds for ModuleName {
    fn read(request: &HttpRequest, _: &mut Problems) -> Self {
        Self(request.match_info().get("module").and_then(Module::parse))
    }
}

#[derive(Deserialize)]
struct RawPayload<'a> {
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
}

impl Body for ReportBody {
    const PRESENCE: BodyPresence = BodyPresence::Needed;

    fn read(raw: &[u8], problems: Problems) -> Result<Self, Error> {
        let mut fields = body::Create::<ReportFields>::read(raw, problems)?.0;
        // The same text was just parsed, so it is an object with this member.
        if let Ok(RawPayload { payload: Some(payload) }) = serde_json::from_slice(raw) {
            fields.payload = Field::Set(ReportPayload::verbatim(payload));
        }
        Ok(Self(fields))
    }
}

operation! {
    Report = "POST /api/modules/{module}/events",
    access: ReportEvents, path: ModuleName, headers: IdempotencyKey, body: ReportBody
    => report
}

async fn report(call: EndpointRequest<Report>) -> HandlerResult {
    let (once, module) = (call.once(), call.path.0.ok_or(Error::NotFound("module"))?);
    let outcome = webhooks::report(&call.ports, &call.permit, once, module, call.body.0).await?;
    Ok(responses::idempotent::<Report>(outcome))
}

impl Action for Report {
    type Output = ReportAccepted;

    fn response(reported: &ReportAccepted) -> StoredResponse {
        responses::accepted_response(reported)
    }
}
