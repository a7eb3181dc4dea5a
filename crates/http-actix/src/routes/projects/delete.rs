//! `DELETE /projects/{project_id}`.

use actix_web::HttpResponse;
use domain::access::DeleteProjects;
use domain::versions::ExpectedVersion;
use domain::{ProjectId, projects};
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

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
