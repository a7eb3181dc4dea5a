//! `POST /api/auth/password`.

use actix_web::HttpResponse;
use domain::identity::access::ManageOwnAccount;
use domain::identity::accounts::{self, PasswordFields};
use domain::limits::Class;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::{body, responses};

use super::DoneResponse;

pub(crate) struct ChangePassword;

impl Endpoint for ChangePassword {
    const ROUTE: &'static str = "POST /api/auth/password";
    const CLASS: Class = Class::Critical;
    const COUNTS_BY_ADDRESS: bool = true;
    type Access = ManageOwnAccount;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<PasswordFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        accounts::change_password(&call.ports, &call.permit, call.body.0).await?;
        Ok(responses::ok(&DoneResponse { done: true }))
    }
}
