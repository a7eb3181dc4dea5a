//! `POST /projects/{project_id}/cycles`.

use actix_web::HttpResponse;
use domain::ProjectId;
use domain::identity::access::CreateCycles;
use domain::kernel::idempotency::Answer;
use domain::work::cycles;
use domain::work::cycles::{CycleFields, CycleView};
use http_core::endpoint::{Action, Call, Endpoint};
use http_core::errors::Failure;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, reply};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/v1/projects/{project_id}/cycles";
    type Access = CreateCycles;
    type Path = ProjectId;
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<CycleFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let once = call.once();
        let outcome = cycles::create(&call.ports, &call.permit, once, call.path, call.body.0).await?;
        Ok(reply::outcome::<Self>(outcome))
    }
}

impl Action for Create {
    type Made = CycleView;

    fn answer(cycle: &CycleView) -> Answer {
        reply::created(cycle, format!("/api/v1/projects/{}/cycles/{}", cycle.project_id, cycle.id))
    }
}
