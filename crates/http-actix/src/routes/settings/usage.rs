//! `GET /api/settings/usage`.

use actix_web::HttpResponse;
use domain::identity::access::ManageWorkspace;
use domain::identity::usage;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

pub(crate) struct ReadUsage;

impl Endpoint for ReadUsage {
    const ROUTE: &'static str = "GET /api/settings/usage";
    type Access = ManageWorkspace;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        Ok(reply::shown(&usage::read(&call.ports, &call.permit).await?))
    }
}
