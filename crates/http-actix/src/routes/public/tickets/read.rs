//! `GET /api/public/tickets/{ticket_ref}`.

use actix_web::HttpResponse;
use domain::identity::access::ReadPublicTickets;
use domain::limits::Class;
use domain::support;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

use super::Reference;

pub(crate) struct Read;

impl Endpoint for Read {
    const ROUTE: &'static str = "GET /api/public/tickets/{ticket_ref}";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Read).with_public(Class::PublicFetches);
    type Access = ReadPublicTickets;
    type Path = Reference;
    type Query = ();
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let ticket = support::read(&call.ports, &call.permit, call.path.0).await?;
        Ok(reply::shown(&ticket))
    }
}
