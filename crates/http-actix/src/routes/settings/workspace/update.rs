//! `PATCH /api/settings/workspace`.

use actix_web::HttpResponse;
use domain::access::ManageWorkspace;
use domain::versions::ExpectedVersion;
use domain::workspaces::{self, SettingsFields};
use http_frame::body::Patch;
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

pub(crate) struct Update;

impl Endpoint for Update {
    const ROUTE: &'static str = "PATCH /api/settings/workspace";
    type Access = ManageWorkspace;
    type Path = ();
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = Patch<SettingsFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let workspace = workspaces::update(&call.ports, &call.permit, call.headers, call.body.0).await?;
        Ok(reply::changed(&workspace, workspace.version))
    }
}
