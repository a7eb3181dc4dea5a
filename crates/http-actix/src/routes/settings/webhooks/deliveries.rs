//! `/api/settings/webhooks/{webhook_id}/deliveries` and `/api/settings/webhooks/deliveries`.

use domain::identity::access::{ReadWebhooks, UpdateWebhooks};
use domain::webhooks::{self, Delivery, DeliveryCriteria, DeliveryView};
use domain::{DeliveryId, SubscriptionId};
use http_core::body::Empty;
use http_core::query::Filtered;
use http_core::{action, operation, responses};

operation! {
    List = "GET /api/settings/webhooks/{webhook_id}/deliveries",
    access: ReadWebhooks, path: SubscriptionId, query: Filtered<DeliveryCriteria, Delivery>
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
