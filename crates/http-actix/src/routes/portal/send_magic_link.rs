//! `POST /api/portal/magic-links`.

use actix_web::HttpResponse;
use domain::limits::Class;
use domain::support::{self, MagicLinkFields};
use http_core::admission::Open;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::{body, reply};
use serde_json::json;

pub(crate) struct SendMagicLink;

impl Endpoint for SendMagicLink {
    const ROUTE: &'static str = "POST /api/portal/magic-links";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Critical);
    type Access = Open;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<MagicLinkFields>;

    /// Looks nothing up: neither the answer nor its time says whether there is such a ticket.
    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        support::request_magic_link(&call.ports, call.body.0).await?;
        Ok(reply::accepted(&json!({ "done": true })))
    }
}
