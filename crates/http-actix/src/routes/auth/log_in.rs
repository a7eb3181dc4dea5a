//! `POST /api/auth/login`.

use actix_web::HttpResponse;
use domain::identity::accounts::{self, LoginFields};
use domain::limits::Class;
use http_core::admission::Open;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::{body, reply};

use super::Shown;

pub(crate) struct LogIn;

impl Endpoint for LogIn {
    const ROUTE: &'static str = "POST /api/auth/login";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Critical);
    type Access = Open;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<LoginFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let login = accounts::login(&call.ports, call.permit.address, call.body.0).await?;
        Ok(reply::shown(&Shown::from(&login)))
    }
}
