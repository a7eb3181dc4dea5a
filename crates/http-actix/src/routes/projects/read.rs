//! `GET /projects/{project_id}`.

use actix_web::HttpResponse;
use domain::access::ReadProjects;
use domain::{ProjectId, projects};
use http_frame::call::Call;
use http_frame::conditions::NoneMatch;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

pub(crate) struct Read;

impl Endpoint for Read {
    const ROUTE: &'static str = "GET /api/v1/projects/{project_id}";
    type Access = ReadProjects;
    type Path = ProjectId;
    type Query = ();
    type Headers = NoneMatch;
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let project = projects::read(&call.ports, &call.permit, call.path).await?;
        Ok(reply::one(&project, project.version, &call.headers))
    }
}
