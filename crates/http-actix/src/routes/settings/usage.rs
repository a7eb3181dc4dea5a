//! `GET /api/settings/usage`.

use actix_web::HttpResponse;
use domain::access::ManageWorkspace;
use domain::usage;
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

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
