//! `POST /api/public/tickets`.

use actix_web::HttpResponse;
use domain::identity::access::CreatePublicTickets;
use domain::kernel::idempotency::StoredResponse;
use domain::limits::Class;
use domain::support::{self, IntakeFields, TicketSummary};
use http_core::endpoint::{Action, Endpoint};
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, responses};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/public/tickets";
    const PUBLIC_CLASS: Option<Class> = Some(Class::PublicTickets);
    type Access = CreatePublicTickets;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<IntakeFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let once = call.once();
        let outcome = support::open_by_key(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(responses::idempotent::<Self>(outcome))
    }
}

impl Action for Create {
    type Output = TicketSummary;

    fn response(ticket: &TicketSummary) -> StoredResponse {
        responses::created(ticket, format!("/api/public/tickets/{}", ticket.reference))
    }
}
