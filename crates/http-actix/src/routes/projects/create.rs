//! `POST /projects`.

use actix_web::HttpResponse;
use domain::access::CreateProjects;
use domain::idempotency::Answer;
use domain::projects::{self, Project, ProjectFields};
use http_frame::body;
use http_frame::call::Call;
use http_frame::endpoint::{Action, Endpoint};
use http_frame::errors::Failure;
use http_frame::idempotency::IdempotencyKey;
use http_frame::reply;

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
