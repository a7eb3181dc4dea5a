//! `POST /api/widget/{workspace_id}/tickets`.

use actix_web::HttpResponse;
use domain::kernel::idempotency::Answer;
use domain::limits::Class;
use domain::support::{self, IntakeFields, TicketSummary};
use http_core::customers::WidgetPage;
use http_core::endpoint::{Action, Call, Endpoint};
use http_core::errors::Failure;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, reply};

pub(crate) struct CreateTicket;

impl Endpoint for CreateTicket {
    const ROUTE: &'static str = "POST /api/widget/{workspace_id}/tickets";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Write).with_public(Class::PublicTickets);
    type Access = WidgetPage;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<IntakeFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let once = call.once();
        let outcome = support::open_by_widget(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(reply::outcome::<Self>(outcome))
    }
}

impl Action for CreateTicket {
    type Made = TicketSummary;

    /// Without an address: a visitor has no credential that it could be read with.
    fn answer(ticket: &TicketSummary) -> Answer {
        reply::created_nowhere(ticket)
    }
}
