//! `GET /api/settings/webhooks/{webhook_id}/deliveries`.

use actix_web::HttpResponse;
use domain::SubscriptionId;
use domain::identity::access::ReadWebhooks;
use domain::kernel::paging::{ListName, PageRequest};
use domain::webhooks::{self, DeliveryFilter, DeliveryState, TEST_EVENT, is_event_name};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::query::{Query, QueryReader};
use http_core::reply;

pub(crate) struct List;

/// Which deliveries.
pub(crate) struct ListQuery {
    page: PageRequest,
    filter: DeliveryFilter,
}

fn parse_event(text: &str) -> Option<String> {
    (is_event_name(text) || text == TEST_EVENT).then(|| text.to_owned())
}

fn event_form() -> String {
    "the names of events, such as task.created".to_owned()
}

impl Query for ListQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let states = query.words("state", DeliveryState::from_word, DeliveryState::words);
        let filter = DeliveryFilter { states, event: query.word("event", parse_event, event_form) };
        Self { page: query.page(ListName::Deliveries), filter }
    }
}

impl Endpoint for List {
    const ROUTE: &'static str = "GET /api/settings/webhooks/{webhook_id}/deliveries";
    type Access = ReadWebhooks;
    type Path = SubscriptionId;
    type Query = ListQuery;
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let ListQuery { page, filter } = call.query;
        let page = webhooks::list_deliveries(&call.ports, &call.permit, call.path, filter, page).await?;
        Ok(reply::list(&page))
    }
}
