//! `POST /api/auth/logout`.

use actix_web::HttpResponse;
use domain::access::ManageOwnAccount;
use domain::accounts;
use http_frame::body;
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

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
