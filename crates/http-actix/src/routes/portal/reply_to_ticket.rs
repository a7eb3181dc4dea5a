//! `POST /api/portal/ticket/replies`.

use actix_web::HttpResponse;
use domain::kernel::idempotency::StoredResponse;
use domain::support::{self, PublicComment, ReplyFields};
use http_core::customer_auth::PortalToken;
use http_core::endpoint::{Action, Endpoint};
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, responses};

pub(crate) struct ReplyToTicket;

impl Endpoint for ReplyToTicket {
    const ROUTE: &'static str = "POST /api/portal/ticket/replies";
    type Access = PortalToken;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<ReplyFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let once = call.once();
        let outcome = support::reply(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(responses::idempotent::<Self>(outcome))
    }
}

impl Action for ReplyToTicket {
    type Output = PublicComment;

    /// The comment is read with its ticket.
    fn response(comment: &PublicComment) -> StoredResponse {
        responses::created(comment, "/api/portal/ticket".to_owned())
    }
}
