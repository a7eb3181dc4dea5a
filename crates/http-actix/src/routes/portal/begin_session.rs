//! `POST /api/portal/sessions`.

use actix_web::HttpResponse;
use domain::kernel::input::format_timestamp;
use domain::limits::Class;
use domain::support::{self, SessionFields};
use http_core::admission::Open;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::{body, reply};
use serde::Serialize;

pub(crate) struct BeginSession;

/// What is shown this once.
#[derive(Serialize)]
struct Shown<'a> {
    token: &'a str,
    expires_at: String,
}

impl Endpoint for BeginSession {
    const ROUTE: &'static str = "POST /api/portal/sessions";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Critical);
    type Access = Open;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<SessionFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let login = support::begin_session(&call.ports, call.body.0).await?;
        Ok(reply::shown_once(&Shown { token: login.token.reveal(), expires_at: format_timestamp(login.expires_at) }))
    }
}
