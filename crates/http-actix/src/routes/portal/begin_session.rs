//! `POST /api/portal/sessions`.

use actix_web::HttpResponse;
use domain::kernel::input::format_timestamp;
use domain::limits::Class;
use domain::support::{self, SessionFields};
use http_core::admission::Anonymous;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::{body, responses};
use serde::Serialize;

pub(crate) struct BeginSession;

/// What is shown this once.
#[derive(Serialize)]
struct PortalSessionResponse<'a> {
    token: &'a str,
    expires_at: String,
}

impl Endpoint for BeginSession {
    const ROUTE: &'static str = "POST /api/portal/sessions";
    const CLASS: Class = Class::Critical;
    type Access = Anonymous;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<SessionFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let login = support::begin_session(&call.ports, call.body.0).await?;
        Ok(responses::ok_with_secret(&PortalSessionResponse {
            token: login.token.reveal(),
            expires_at: format_timestamp(login.expires_at),
        }))
    }
}
