//! `POST /api/auth/login`.

use actix_web::HttpResponse;
use domain::accounts::{self, LoginFields};
use domain::limits::Class;
use http_frame::admission::Open;
use http_frame::body;
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

use super::Shown;

pub(crate) struct LogIn;

impl Endpoint for LogIn {
    const ROUTE: &'static str = "POST /api/auth/login";
    const CLASS: Class = Class::Critical;
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
