//! `GET /api/portal/ticket`.

use actix_web::HttpResponse;
use domain::support;
use http_core::customers::PortalToken;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

pub(crate) struct ReadTicket;

impl Endpoint for ReadTicket {
    const ROUTE: &'static str = "GET /api/portal/ticket";
    type Access = PortalToken;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        Ok(reply::shown(&support::read_own(&call.ports, &call.permit).await?))
    }
}
