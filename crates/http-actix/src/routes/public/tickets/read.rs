//! `GET /api/public/tickets/{ticket_ref}`.

use actix_web::HttpResponse;
use domain::identity::access::ReadPublicTickets;
use domain::limits::Class;
use domain::support;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::responses;

use super::Reference;

pub(crate) struct Read;

impl Endpoint for Read {
    const ROUTE: &'static str = "GET /api/public/tickets/{ticket_ref}";
    const PUBLIC_CLASS: Option<Class> = Some(Class::PublicFetches);
    type Access = ReadPublicTickets;
    type Path = Reference;
    type Query = ();
    type Headers = ();
    type Body = ();

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let ticket = support::read(&call.ports, &call.permit, call.path.0).await?;
        Ok(responses::ok(&ticket))
    }
}
