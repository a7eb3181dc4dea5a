//! `POST /api/auth/password-resets`.

use actix_web::HttpResponse;
use domain::identity::accounts::{self, ResetRequestFields};
use domain::limits::Class;
use http_core::admission::Anonymous;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::{body, responses};

use super::DoneResponse;

pub(crate) struct RequestPasswordReset;

impl Endpoint for RequestPasswordReset {
    const ROUTE: &'static str = "POST /api/auth/password-resets";
    const CLASS: Class = Class::Critical;
    type Access = Anonymous;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<ResetRequestFields>;

    /// Looks nothing up: neither the answer nor its time says whether the address is known.
    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        accounts::request_password_reset(&call.ports, call.body.0).await?;
        Ok(responses::accepted(&DoneResponse { done: true }))
    }
}
