//! `GET /api/settings/workspace`.

use actix_web::HttpResponse;
use domain::identity::access::ManageWorkspace;
use domain::identity::workspaces;
use http_core::conditions::NoneMatch;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::responses;

pub(crate) struct Read;

impl Endpoint for Read {
    const ROUTE: &'static str = "GET /api/settings/workspace";
    type Access = ManageWorkspace;
    type Path = ();
    type Query = ();
    type Headers = NoneMatch;
    type Body = ();

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let workspace = workspaces::read(&call.ports, &call.permit).await?;
        Ok(responses::one(&workspace, workspace.version, &call.headers))
    }
}
