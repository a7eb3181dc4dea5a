//! `POST /api/auth/accept-invitation`.

use actix_web::HttpResponse;
use domain::identity::accounts::{self, AcceptanceFields};
use domain::limits::Class;
use http_core::admission::Anonymous;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::{body, responses};

use super::LoginResponse;

pub(crate) struct AcceptInvitation;

impl Endpoint for AcceptInvitation {
    const ROUTE: &'static str = "POST /api/auth/accept-invitation";
    const CLASS: Class = Class::Critical;
    type Access = Anonymous;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<AcceptanceFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let login = accounts::accept_invitation(&call.ports, call.permit.address, call.body.0).await?;
        Ok(responses::ok(&LoginResponse::from(&login)))
    }
}
