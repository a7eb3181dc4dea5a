//! `POST /api/auth/reset-password`.

use actix_web::HttpResponse;
use domain::accounts::{self, ResetFields};
use domain::limits::Class;
use http_frame::admission::Open;
use http_frame::body;
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

use super::Done;

pub(crate) struct ResetPassword;

impl Endpoint for ResetPassword {
    const ROUTE: &'static str = "POST /api/auth/reset-password";
    const CLASS: Class = Class::Critical;
    type Access = Open;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<ResetFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        accounts::reset_password(&call.ports, call.permit.address, call.body.0).await?;
        Ok(reply::shown(&Done { done: true }))
    }
}
