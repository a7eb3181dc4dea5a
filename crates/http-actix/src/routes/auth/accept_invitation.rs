//! `POST /api/auth/accept-invitation`.

use actix_web::HttpResponse;
use domain::identity::accounts::{self, AcceptanceFields};
use domain::limits::Class;
use http_core::admission::Open;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::{body, reply};

use super::Shown;

pub(crate) struct AcceptInvitation;

impl Endpoint for AcceptInvitation {
    const ROUTE: &'static str = "POST /api/auth/accept-invitation";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Critical);
    type Access = Open;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<AcceptanceFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let login = accounts::accept_invitation(&call.ports, call.permit.address, call.body.0).await?;
        Ok(reply::shown(&Shown::from(&login)))
    }
}
