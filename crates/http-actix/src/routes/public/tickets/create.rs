//! `POST /api/public/tickets`.

use actix_web::HttpResponse;
use domain::access::CreatePublicTickets;
use domain::idempotency::Answer;
use domain::limits::Class;
use domain::support::{self, IntakeFields, TicketSummary};
use http_frame::body;
use http_frame::call::Call;
use http_frame::endpoint::{Action, Endpoint};
use http_frame::errors::Failure;
use http_frame::idempotency::IdempotencyKey;
use http_frame::reply;

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/public/tickets";
    const PUBLIC_CLASS: Option<Class> = Some(Class::PublicTickets);
    type Access = CreatePublicTickets;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<IntakeFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let once = call.once();
        let outcome = support::open_by_key(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(reply::outcome::<Self>(outcome))
    }
}

impl Action for Create {
    type Made = TicketSummary;

    fn answer(ticket: &TicketSummary) -> Answer {
        reply::created(ticket, format!("/api/public/tickets/{}", ticket.reference))
    }
}
