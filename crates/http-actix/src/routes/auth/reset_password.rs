//! `POST /api/auth/reset-password`.

use actix_web::HttpResponse;
use domain::identity::accounts::{self, ResetFields};
use domain::limits::Class;
use http_core::admission::Anonymous;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::{body, responses};

use super::DoneResponse;

pub(crate) struct ResetPassword;

impl Endpoint for ResetPassword {
    const ROUTE: &'static str = "POST /api/auth/reset-password";
    const CLASS: Class = Class::Critical;
    type Access = Anonymous;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<ResetFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        accounts::reset_password(&call.ports, call.permit.address, call.body.0).await?;
        Ok(responses::ok(&DoneResponse { done: true }))
    }
}
