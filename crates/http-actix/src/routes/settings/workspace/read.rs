//! `GET /api/settings/workspace`.

use actix_web::HttpResponse;
use domain::access::ManageWorkspace;
use domain::workspaces;
use http_frame::call::Call;
use http_frame::conditions::NoneMatch;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

pub(crate) struct Read;

impl Endpoint for Read {
    const ROUTE: &'static str = "GET /api/settings/workspace";
    type Access = ManageWorkspace;
    type Path = ();
    type Query = ();
    type Headers = NoneMatch;
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let workspace = workspaces::read(&call.ports, &call.permit).await?;
        Ok(reply::one(&workspace, workspace.version, &call.headers))
    }
}
