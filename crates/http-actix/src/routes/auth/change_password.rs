//! `POST /api/auth/password`.

use actix_web::HttpResponse;
use domain::identity::access::ManageOwnAccount;
use domain::identity::accounts::{self, PasswordFields};
use domain::limits::Class;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::{body, reply};

use super::Done;

pub(crate) struct ChangePassword;

impl Endpoint for ChangePassword {
    const ROUTE: &'static str = "POST /api/auth/password";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Critical).by_address();
    type Access = ManageOwnAccount;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<PasswordFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        accounts::change_password(&call.ports, &call.permit, call.body.0).await?;
        Ok(reply::shown(&Done { done: true }))
    }
}
