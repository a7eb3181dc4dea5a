//! `POST /api/auth/reset-password`.

use actix_web::HttpResponse;
use domain::identity::accounts::{self, ResetFields};
use domain::limits::Class;
use http_core::admission::Open;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::{body, reply};

use super::Done;

pub(crate) struct ResetPassword;

impl Endpoint for ResetPassword {
    const ROUTE: &'static str = "POST /api/auth/reset-password";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Critical);
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
