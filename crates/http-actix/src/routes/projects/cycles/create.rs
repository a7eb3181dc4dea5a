//! `POST /projects/{project_id}/cycles`.

use actix_web::HttpResponse;
use domain::ProjectId;
use domain::identity::access::CreateCycles;
use domain::kernel::idempotency::StoredResponse;
use domain::work::cycles;
use domain::work::cycles::{CycleFields, CycleView};
use http_core::endpoint::{Action, Endpoint};
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, responses};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/v1/projects/{project_id}/cycles";
    type Access = CreateCycles;
    type Path = ProjectId;
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<CycleFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let once = call.once();
        let outcome = cycles::create(&call.ports, &call.permit, once, call.path, call.body.0).await?;
        Ok(responses::idempotent::<Self>(outcome))
    }
}

impl Action for Create {
    type Output = CycleView;

    fn response(cycle: &CycleView) -> StoredResponse {
        responses::created(cycle, format!("/api/v1/projects/{}/cycles/{}", cycle.project_id, cycle.id))
    }
}
