//! `GET /api/portal/ticket`.

use actix_web::HttpResponse;
use domain::support;
use http_core::customer_auth::PortalToken;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::responses;

pub(crate) struct ReadTicket;

impl Endpoint for ReadTicket {
    const ROUTE: &'static str = "GET /api/portal/ticket";
    type Access = PortalToken;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = ();

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        Ok(responses::ok(&support::read_own(&call.ports, &call.permit).await?))
    }
}
