//! `PATCH /api/settings/workspace`.

use actix_web::HttpResponse;
use domain::identity::access::ManageWorkspace;
use domain::identity::workspaces::{self, SettingsFields};
use domain::kernel::versions::ExpectedVersion;
use http_core::body::Patch;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

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
