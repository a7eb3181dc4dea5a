//! `PATCH /projects/{project_id}`.

use actix_web::HttpResponse;
use domain::ProjectId;
use domain::access::UpdateProjects;
use domain::projects::{self, ProjectFields};
use domain::versions::ExpectedVersion;
use http_frame::body::Patch;
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

pub(crate) struct Update;

impl Endpoint for Update {
    const ROUTE: &'static str = "PATCH /api/v1/projects/{project_id}";
    type Access = UpdateProjects;
    type Path = ProjectId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = Patch<ProjectFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let project = projects::update(&call.ports, &call.permit, call.path, call.headers, call.body.0).await?;
        Ok(reply::changed(&project, project.version))
    }
}
