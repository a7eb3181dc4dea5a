//! `POST /api/public/tickets`.

use actix_web::HttpResponse;
use domain::identity::access::CreatePublicTickets;
use domain::kernel::idempotency::Answer;
use domain::limits::Class;
use domain::support::{self, IntakeFields, TicketSummary};
use http_core::endpoint::{Action, Call, Endpoint};
use http_core::errors::Failure;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, reply};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/public/tickets";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Write).with_public(Class::PublicTickets);
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
