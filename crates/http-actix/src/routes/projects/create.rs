//! `POST /projects`.

use actix_web::HttpResponse;
use domain::identity::access::CreateProjects;
use domain::kernel::idempotency::StoredResponse;
use domain::work::projects::{self, Project, ProjectFields};
use http_core::endpoint::{Action, Endpoint};
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, responses};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/v1/projects";
    type Access = CreateProjects;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<ProjectFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let once = call.once();
        let outcome = projects::create(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(responses::idempotent::<Self>(outcome))
    }
}

impl Action for Create {
    type Output = Project;

    fn response(project: &Project) -> StoredResponse {
        responses::created(project, format!("/api/v1/projects/{}", project.id))
    }
}
