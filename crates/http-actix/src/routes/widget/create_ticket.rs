//! `POST /api/widget/{workspace_id}/tickets`.

use actix_web::HttpResponse;
use domain::kernel::idempotency::StoredResponse;
use domain::limits::Class;
use domain::support::{self, IntakeFields, TicketSummary};
use http_core::customer_auth::WidgetPage;
use http_core::endpoint::{Action, Endpoint};
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, responses};

pub(crate) struct CreateTicket;

impl Endpoint for CreateTicket {
    const ROUTE: &'static str = "POST /api/widget/{workspace_id}/tickets";
    const PUBLIC_CLASS: Option<Class> = Some(Class::PublicTickets);
    type Access = WidgetPage;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<IntakeFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let once = call.once();
        let outcome = support::open_by_widget(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(responses::idempotent::<Self>(outcome))
    }
}

impl Action for CreateTicket {
    type Output = TicketSummary;

    /// Without an address: a visitor has no credential that it could be read with.
    fn response(ticket: &TicketSummary) -> StoredResponse {
        responses::created_without_location(ticket)
    }
}
