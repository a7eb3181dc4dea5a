//! `GET /api/settings/workspace`.

use actix_web::HttpResponse;
use domain::access::ManageWorkspace;
use domain::workspaces;

use crate::call::Call;
use crate::conditions::NoneMatch;
use crate::endpoint::Endpoint;
use crate::errors::Failure;
use crate::reply;

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
