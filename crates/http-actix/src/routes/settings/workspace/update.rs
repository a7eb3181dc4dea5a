//! `PATCH /api/settings/workspace`.

use actix_web::HttpResponse;
use domain::identity::access::ManageWorkspace;
use domain::identity::workspaces::{self, SettingsFields};
use domain::kernel::versions::ExpectedVersion;
use http_core::body::Patch;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::responses;

pub(crate) struct Update;

impl Endpoint for Update {
    const ROUTE: &'static str = "PATCH /api/settings/workspace";
    type Access = ManageWorkspace;
    type Path = ();
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = Patch<SettingsFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let workspace = workspaces::update(&call.ports, &call.permit, call.headers, call.body.0).await?;
        Ok(responses::changed(&workspace, workspace.version))
    }
}
