//! `GET /api/public/tickets`.

use actix_web::HttpResponse;
use domain::identity::access::ReadPublicTickets;
use domain::kernel::paging::{ListName, PageRequest};
use domain::limits::Class;
use domain::support::{self, TicketFilter};
use domain::work::issues::{IssueStatus, TicketType};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::query::{Query, QueryReader};
use http_core::reply;

pub(crate) struct List;

pub(crate) struct Parameters {
    filter: TicketFilter,
    page: PageRequest,
}

impl Query for Parameters {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let filter = TicketFilter {
            status: query.word("status", IssueStatus::from_word, IssueStatus::words),
            email_key: query.parsed_by("email", support::parse_email),
            ticket_type: query.word("type", TicketType::from_word, TicketType::words),
        };
        Self { filter, page: query.page(ListName::PublicTickets) }
    }
}

impl Endpoint for List {
    const ROUTE: &'static str = "GET /api/public/tickets";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Read).with_public(Class::PublicFetches);
    type Access = ReadPublicTickets;
    type Path = ();
    type Query = Parameters;
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let page = support::list(&call.ports, &call.permit, call.query.filter, call.query.page).await?;
        Ok(reply::list(&page))
    }
}
