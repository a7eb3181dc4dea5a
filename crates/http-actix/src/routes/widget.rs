//! `/api/widget`: routes for the pages in a workspace's `widget_origins`, without a key.

use std::future::{Ready, ready};

use domain::limits::Class;
use domain::support::kb::KbHit;
use domain::support::{self, IntakeFields, TicketSummary};
use http_core::cross_origin::preflight;
use http_core::customer_auth::WidgetPage;
use http_core::description::{NoContent, Shown};
use http_core::endpoint::{EndpointRequest, HandlerResult};
use http_core::query::Any;
use http_core::{LimitPolicy, action, body, operation, responses};

use super::public::kb::SearchQuery;

// No `Location`: a visitor has no credential to read the ticket with.
action! {
    /// Open a ticket from a page with the widget.
    CreateTicket = "POST /api/widget/{workspace_id}/tickets",
    limits: LimitPolicy::new(Class::Write).with_public(Class::PublicTickets),
    access: WidgetPage, body: body::Create<IntakeFields>
    => support::open_by_widget(body) -> TicketSummary, created_without_location
}

// CORS preflights, each answered for the origin that sends it.
operation! {
    /// Answer the preflight of a ticket.
    PreflightTicket = "OPTIONS /api/widget/{workspace_id}/tickets",
    limits: LimitPolicy::new(Class::Read), access: WidgetPage, query: Any
    => preflight_ticket -> NoContent
}

fn preflight_ticket(_: EndpointRequest<PreflightTicket>) -> Ready<HandlerResult> {
    ready(Ok(preflight("POST")))
}

operation! {
    /// Search the published articles from a page with the widget.
    SearchKb = "GET /api/widget/{workspace_id}/kb/search",
    limits: LimitPolicy::new(Class::Read).with_public(Class::PublicKbSearches), access: WidgetPage, query: SearchQuery
    => search_kb -> Shown<Vec<KbHit>>
}

async fn search_kb(call: EndpointRequest<SearchKb>) -> HandlerResult {
    let hits = match call.query.query {
        Some(query) => support::search_kb(&call.ports, &call.permit, query, call.query.limit).await?,
        None => Vec::new(),
    };
    Ok(responses::ok(&hits))
}

operation! {
    /// Answer the preflight of a search.
    PreflightSearch = "OPTIONS /api/widget/{workspace_id}/kb/search",
    limits: LimitPolicy::new(Class::Read), access: WidgetPage, query: Any
    => preflight_search -> NoContent
}

fn preflight_search(_: EndpointRequest<PreflightSearch>) -> Ready<HandlerResult> {
    ready(Ok(preflight("GET")))
}
