//! `POST /api/auth/logout`.

use actix_web::HttpResponse;
use domain::identity::access::ManageOwnAccount;
use domain::identity::accounts;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::{body, responses};

use super::DoneResponse;

pub(crate) struct LogOut;

impl Endpoint for LogOut {
    const ROUTE: &'static str = "POST /api/auth/logout";
    type Access = ManageOwnAccount;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Empty;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        accounts::logout(&call.ports, &call.permit).await?;
        Ok(responses::ok(&DoneResponse { done: true }))
    }
}
