//! `POST /api/auth/reset-password`.

use actix_web::HttpResponse;
use domain::accounts::{self, ResetFields};
use domain::limits::Class;

use super::Done;
use crate::admission::Open;
use crate::body;
use crate::call::Call;
use crate::endpoint::Endpoint;
use crate::errors::Failure;
use crate::reply;

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
