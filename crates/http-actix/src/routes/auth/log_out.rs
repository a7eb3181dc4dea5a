//! `POST /api/auth/logout`.

use actix_web::HttpResponse;
use domain::identity::access::ManageOwnAccount;
use domain::identity::accounts;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::{body, reply};

use super::Done;

pub(crate) struct LogOut;

impl Endpoint for LogOut {
    const ROUTE: &'static str = "POST /api/auth/logout";
    type Access = ManageOwnAccount;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Empty;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        accounts::logout(&call.ports, &call.permit).await?;
        Ok(reply::shown(&Done { done: true }))
    }
}
