//! `/api/public/tickets`.

use actix_web::HttpRequest;
use domain::identity::access::{CreatePublicTickets, CreateTrackingLinks, ReadPublicTickets};
use domain::kernel::IssueKind;
use domain::kernel::input::schema::TimestampText;
use domain::kernel::input::{CreatedFilter, EmailAddress, Filter as _, Problems, Value as _, format_timestamp};
use domain::kernel::paging::{ListName, PageRequest};
use domain::limits::Class;
use domain::support::{self, IntakeFields, TicketFilter, TicketSummary, TicketView};
use domain::work::issues::{IssueStatus, TicketReference, TicketType};
use http_core::body::{self, Empty};
use http_core::description::{CreatedWithoutLocation, Described, Parameter, Shown, paging, parameters_of};
use http_core::endpoint::{EndpointRequest, HandlerResult};
use http_core::path::PathIds;
use http_core::query::{Query, QueryReader};
use http_core::{LimitPolicy, action, operation, responses};
use schemars::JsonSchema;
use serde::Serialize;

const FETCHES: LimitPolicy = LimitPolicy::new(Class::Read).with_public(Class::PublicFetches);

/// The reference in the path; `None` if it is malformed.
pub(crate) struct Reference(Option<TicketReference>);

impl PathIds for Reference {
    fn read(request: &HttpRequest, _: &mut Problems) -> Self {
        Self(request.match_info().get("ticket_ref").and_then(TicketReference::parse))
    }
}

pub(crate) struct ListQuery {
    filter: TicketFilter,
    page: PageRequest,
}

impl Query for ListQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let filter = TicketFilter {
            status: query.choice("status", IssueStatus::parse, IssueStatus::allowed_values),
            email_key: query.parsed_by("email", support::parse_email),
            ticket_type: query.choice("type", TicketType::parse, TicketType::allowed_values),
            created: CreatedFilter::from_parameters(query),
        };
        Self { filter, page: query.page(ListName::PUBLIC_TICKETS) }
    }
}

impl Described for ListQuery {
    fn parameters() -> Vec<Parameter> {
        let email = "Only tickets of the customer with this e-mail address; case does not matter.";
        let mut parameters = vec![
            Parameter::new("status", "Only tickets in this status.", IssueStatus::schema_of(IssueKind::Ticket)),
            Parameter::new("email", email, EmailAddress::schema()),
            Parameter::new("type", "Only tickets of this type.", TicketType::schema()),
        ];
        parameters.extend(parameters_of(CreatedFilter::parameters()));
        parameters.extend(paging());
        parameters
    }
}

/// A new tracking link. Only this response shows the token.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TrackingLink")]
pub(crate) struct LinkView<'a> {
    token: &'a str,
    url: &'a str,
    #[schemars(with = "TimestampText")]
    expires_at: String,
}

operation! {
    /// List tickets for a customer-facing backend.
    List = "GET /api/public/tickets", limits: FETCHES, access: ReadPublicTickets, query: ListQuery
    => list(support::list(filter, page)) -> TicketSummary
}

action! {
    /// Open a ticket for a customer.
    Create = "POST /api/public/tickets",
    limits: LimitPolicy::new(Class::Write).with_public(Class::PublicTickets),
    access: CreatePublicTickets, body: body::Create<IntakeFields>
    => support::open_by_key(body) -> TicketSummary, created(|ticket| format!("/api/public/tickets/{}", ticket.reference))
}

operation! {
    /// Read a ticket by its reference.
    Read = "GET /api/public/tickets/{ticket_ref}", limits: FETCHES, access: ReadPublicTickets, path: Reference
    => read -> Shown<TicketView>
}

async fn read(call: EndpointRequest<Read>) -> HandlerResult {
    Ok(responses::ok(&support::read(&call.ports, &call.permit, call.path.0).await?))
}

operation! {
    /// Create a tracking link for a ticket.
    MakeLink = "POST /api/public/tickets/{ticket_ref}/tracking-links",
    access: CreateTrackingLinks, path: Reference, body: Empty
    => create_link -> CreatedWithoutLocation<LinkView<'static>>
}

async fn create_link(call: EndpointRequest<MakeLink>) -> HandlerResult {
    let created = support::create_link(&call.ports, &call.permit, call.path.0).await?;
    let expires_at = format_timestamp(created.expires_at);
    Ok(responses::ok_with_secret(&LinkView { token: created.token.reveal(), url: &created.url, expires_at }))
}
