//! `POST /api/modules/{module}/events`.

use actix_web::HttpResponse;
use domain::Error;
use domain::access::ReportEvents;
use domain::idempotency::Answer;
use domain::input::{Field, Problems};
use domain::webhooks::{self, ReportFields, ReportPayload, Reported};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::body::{self, Body};
use crate::call::Call;
use crate::endpoint::{Action, Endpoint};
use crate::errors::Failure;
use crate::idempotency::IdempotencyKey;
use crate::path::ModuleName;
use crate::reply;

pub(crate) struct Report;

/// A report whose payload is kept as it came.
pub(crate) struct ReportBody(ReportFields);

#[derive(Deserialize)]
struct RawPayload<'a> {
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
}

impl Body for ReportBody {
    const PRESENT: bool = true;

    fn read(raw: &[u8], problems: Problems) -> Result<Self, Error> {
        let mut fields = body::Create::<ReportFields>::read(raw, problems)?.0;
        // The same text was read a moment ago, so it is an object with this member.
        if let Ok(RawPayload { payload: Some(payload) }) = serde_json::from_slice(raw) {
            fields.payload = Field::Set(ReportPayload::verbatim(payload));
        }
        Ok(Self(fields))
    }
}

impl Endpoint for Report {
    const ROUTE: &'static str = "POST /api/modules/{module}/events";
    type Access = ReportEvents;
    type Path = ModuleName;
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = ReportBody;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let (once, module) = (call.once(), call.path.0.ok_or(Error::NotFound("module"))?);
        let outcome = webhooks::report(&call.ports, &call.permit, once, module, call.body.0).await?;
        Ok(reply::outcome::<Self>(outcome))
    }
}

impl Action for Report {
    type Made = Reported;

    fn answer(reported: &Reported) -> Answer {
        reply::taken(reported)
    }
}
