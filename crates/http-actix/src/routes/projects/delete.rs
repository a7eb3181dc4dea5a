//! `DELETE /projects/{project_id}`.

use actix_web::HttpResponse;
use domain::ProjectId;
use domain::identity::access::DeleteProjects;
use domain::kernel::versions::ExpectedVersion;
use domain::work::projects;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

pub(crate) struct Delete;

impl Endpoint for Delete {
    const ROUTE: &'static str = "DELETE /api/v1/projects/{project_id}";
    type Access = DeleteProjects;
    type Path = ProjectId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        projects::delete(&call.ports, &call.permit, call.path, call.headers).await?;
        Ok(reply::deleted(call.path))
    }
}
