//! `POST /projects`.

use actix_web::HttpResponse;
use domain::identity::access::CreateProjects;
use domain::kernel::idempotency::Answer;
use domain::work::projects::{self, Project, ProjectFields};
use http_core::endpoint::{Action, Call, Endpoint};
use http_core::errors::Failure;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, reply};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/v1/projects";
    type Access = CreateProjects;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<ProjectFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let once = call.once();
        let outcome = projects::create(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(reply::outcome::<Self>(outcome))
    }
}

impl Action for Create {
    type Made = Project;

    fn answer(project: &Project) -> Answer {
        reply::created(project, format!("/api/v1/projects/{}", project.id))
    }
}
