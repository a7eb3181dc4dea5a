//! `POST /api/auth/login`.

use actix_web::HttpResponse;
use domain::identity::accounts::{self, LoginFields};
use domain::limits::Class;
use http_core::admission::Anonymous;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::{body, responses};

use super::LoginResponse;

pub(crate) struct LogIn;

impl Endpoint for LogIn {
    const ROUTE: &'static str = "POST /api/auth/login";
    const CLASS: Class = Class::Critical;
    type Access = Anonymous;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<LoginFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let login = accounts::login(&call.ports, call.permit.address, call.body.0).await?;
        Ok(responses::ok(&LoginResponse::from(&login)))
    }
}
