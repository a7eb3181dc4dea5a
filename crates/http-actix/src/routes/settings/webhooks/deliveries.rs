//! `/api/settings/webhooks/{webhook_id}/deliveries` and `/api/settings/webhooks/deliveries`.

use domain::identity::access::{ReadWebhooks, UpdateWebhooks};
use domain::webhooks::{self, Delivery, DeliveryCriteria, DeliveryView};
use domain::{DeliveryId, SubscriptionId};
use http_core::body::Empty;
use http_core::query::Filtered;
use http_core::{action, operation};

operation! {
    /// List the deliveries of a webhook.
    List = "GET /api/settings/webhooks/{webhook_id}/deliveries",
    access: ReadWebhooks, path: SubscriptionId, query: Filtered<DeliveryCriteria, Delivery>
    => list(webhooks::list_deliveries(path, filter, page)) -> DeliveryView
}

operation! {
    /// Read a delivery.
    Read = "GET /api/settings/webhooks/deliveries/{delivery_id}", access: ReadWebhooks, path: DeliveryId
    => shown(webhooks::read_delivery(path)) -> DeliveryView
}

action! {
    /// Send a delivery again.
    Redeliver = "POST /api/settings/webhooks/deliveries/{delivery_id}/redeliver",
    access: UpdateWebhooks, path: DeliveryId, body: Empty, errors: [Conflict, InvalidStateChange]
    => webhooks::redeliver(path) -> DeliveryView, accepted
}
