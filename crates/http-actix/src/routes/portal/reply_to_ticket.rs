//! `POST /api/portal/ticket/replies`.

use actix_web::HttpResponse;
use domain::kernel::idempotency::Answer;
use domain::support::{self, PublicComment, ReplyFields};
use http_core::customers::PortalToken;
use http_core::endpoint::{Action, Call, Endpoint};
use http_core::errors::Failure;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, reply};

pub(crate) struct ReplyToTicket;

impl Endpoint for ReplyToTicket {
    const ROUTE: &'static str = "POST /api/portal/ticket/replies";
    type Access = PortalToken;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<ReplyFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let once = call.once();
        let outcome = support::reply(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(reply::outcome::<Self>(outcome))
    }
}

impl Action for ReplyToTicket {
    type Made = PublicComment;

    /// The comment is read with its ticket.
    fn answer(comment: &PublicComment) -> Answer {
        reply::created(comment, "/api/portal/ticket".to_owned())
    }
}
