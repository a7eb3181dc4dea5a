//! `GET /api/settings/workspace`.

use actix_web::HttpResponse;
use domain::identity::access::ManageWorkspace;
use domain::identity::workspaces;
use http_core::conditions::NoneMatch;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

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
