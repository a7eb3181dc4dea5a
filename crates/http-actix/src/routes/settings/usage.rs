//! `GET /api/settings/usage`.

use actix_web::HttpResponse;
use domain::identity::access::ManageWorkspace;
use domain::identity::usage;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::responses;

pub(crate) struct ReadUsage;

impl Endpoint for ReadUsage {
    const ROUTE: &'static str = "GET /api/settings/usage";
    type Access = ManageWorkspace;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = ();

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        Ok(responses::ok(&usage::read(&call.ports, &call.permit).await?))
    }
}
