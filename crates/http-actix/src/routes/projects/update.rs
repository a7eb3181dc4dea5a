//! `PATCH /projects/{project_id}`.

use actix_web::HttpResponse;
use domain::ProjectId;
use domain::identity::access::UpdateProjects;
use domain::kernel::versions::ExpectedVersion;
use domain::work::projects::{self, ProjectFields};
use http_core::body::Patch;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

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
