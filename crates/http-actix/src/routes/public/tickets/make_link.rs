//! `POST /api/public/tickets/{ticket_ref}/tracking-links`.

use actix_web::HttpResponse;
use domain::identity::access::CreateTrackingLinks;
use domain::kernel::input::format_timestamp;
use domain::support;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::{body, reply};
use serde::Serialize;

use super::Reference;

pub(crate) struct MakeLink;

/// What is shown this once.
#[derive(Serialize)]
struct Shown<'a> {
    token: &'a str,
    url: &'a str,
    expires_at: String,
}

impl Endpoint for MakeLink {
    const ROUTE: &'static str = "POST /api/public/tickets/{ticket_ref}/tracking-links";
    type Access = CreateTrackingLinks;
    type Path = Reference;
    type Query = ();
    type Headers = ();
    type Body = body::Empty;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let made = support::make_link(&call.ports, &call.permit, call.path.0).await?;
        let shown = Shown { token: made.token.reveal(), url: &made.url, expires_at: format_timestamp(made.expires_at) };
        Ok(reply::shown_once(&shown))
    }
}
