//! `/api/settings/webhooks/{webhook_id}/deliveries` and `/api/settings/webhooks/deliveries`.

use domain::events::{TEST_EVENT, is_event_name};
use domain::identity::access::{ReadWebhooks, UpdateWebhooks};
use domain::kernel::paging::{ListName, PageRequest};
use domain::webhooks::{self, DeliveryFilter, DeliveryState, DeliveryView};
use domain::{DeliveryId, SubscriptionId};
use http_core::body::Empty;
use http_core::query::{Query, QueryReader};
use http_core::{action, operation, responses};

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
        let states = query.choices("state", DeliveryState::parse, DeliveryState::allowed_values);
        let filter = DeliveryFilter { states, event: query.choice("event", parse_event, event_form) };
        Self { page: query.page(ListName::Deliveries), filter }
    }
}

operation! {
    List = "GET /api/settings/webhooks/{webhook_id}/deliveries",
    access: ReadWebhooks, path: SubscriptionId, query: ListQuery
    => list(webhooks::list_deliveries(path, filter, page))
}

operation! {
    Read = "GET /api/settings/webhooks/deliveries/{delivery_id}", access: ReadWebhooks, path: DeliveryId
    => shown(webhooks::read_delivery(path))
}

action! {
    Redeliver = "POST /api/settings/webhooks/deliveries/{delivery_id}/redeliver",
    access: UpdateWebhooks, path: DeliveryId, body: Empty
    => webhooks::redeliver(path) -> DeliveryView, |delivery| responses::accepted_response(delivery)
}
