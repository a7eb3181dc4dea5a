//! `GET /projects/{project_id}`.

use actix_web::HttpResponse;
use domain::ProjectId;
use domain::identity::access::ReadProjects;
use domain::work::projects;
use http_core::conditions::NoneMatch;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

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
