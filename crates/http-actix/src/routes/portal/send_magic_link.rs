//! `POST /api/portal/magic-links`.

use actix_web::HttpResponse;
use domain::limits::Class;
use domain::support::{self, MagicLinkFields};
use http_core::admission::Anonymous;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::{body, responses};
use serde_json::json;

pub(crate) struct SendMagicLink;

impl Endpoint for SendMagicLink {
    const ROUTE: &'static str = "POST /api/portal/magic-links";
    const CLASS: Class = Class::Critical;
    type Access = Anonymous;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<MagicLinkFields>;

    /// Looks nothing up: neither the answer nor its time says whether there is such a ticket.
    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        support::request_magic_link(&call.ports, call.body.0).await?;
        Ok(responses::accepted(&json!({ "done": true })))
    }
}
