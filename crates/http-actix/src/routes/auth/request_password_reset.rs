//! `POST /api/auth/password-resets`.

use actix_web::HttpResponse;
use domain::identity::accounts::{self, ResetRequestFields};
use domain::limits::Class;
use http_core::admission::Open;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::{body, reply};

use super::Done;

pub(crate) struct RequestPasswordReset;

impl Endpoint for RequestPasswordReset {
    const ROUTE: &'static str = "POST /api/auth/password-resets";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Critical);
    type Access = Open;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<ResetRequestFields>;

    /// Looks nothing up: neither the answer nor its time says whether the address is known.
    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        accounts::request_password_reset(&call.ports, call.body.0).await?;
        Ok(reply::accepted(&Done { done: true }))
    }
}
