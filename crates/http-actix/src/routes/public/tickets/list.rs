//! `GET /api/public/tickets`.

use actix_web::HttpResponse;
use domain::identity::access::ReadPublicTickets;
use domain::kernel::paging::{ListName, PageRequest};
use domain::limits::Class;
use domain::support::{self, TicketFilter};
use domain::work::issues::{IssueStatus, TicketType};
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::query::{Query, QueryReader};
use http_core::responses;

pub(crate) struct List;

pub(crate) struct Parameters {
    filter: TicketFilter,
    page: PageRequest,
}

impl Query for Parameters {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let filter = TicketFilter {
            status: query.choice("status", IssueStatus::parse, IssueStatus::allowed_values),
            email_key: query.parsed_by("email", support::parse_email),
            ticket_type: query.choice("type", TicketType::parse, TicketType::allowed_values),
        };
        Self { filter, page: query.page(ListName::PublicTickets) }
    }
}

impl Endpoint for List {
    const ROUTE: &'static str = "GET /api/public/tickets";
    const PUBLIC_CLASS: Option<Class> = Some(Class::PublicFetches);
    type Access = ReadPublicTickets;
    type Path = ();
    type Query = Parameters;
    type Headers = ();
    type Body = ();

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let page = support::list(&call.ports, &call.permit, call.query.filter, call.query.page).await?;
        Ok(responses::list(&page))
    }
}
