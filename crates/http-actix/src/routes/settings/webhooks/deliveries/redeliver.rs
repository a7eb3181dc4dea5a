//! `POST /api/settings/webhooks/deliveries/{delivery_id}/redeliver`.

use actix_web::HttpResponse;
use domain::identity::access::UpdateWebhooks;
use domain::kernel::idempotency::Answer;
use domain::webhooks::ShownDelivery;
use domain::{DeliveryId, webhooks};
use http_core::endpoint::{Action, Call, Endpoint};
use http_core::errors::Failure;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, reply};

pub(crate) struct Redeliver;

impl Endpoint for Redeliver {
    const ROUTE: &'static str = "POST /api/settings/webhooks/deliveries/{delivery_id}/redeliver";
    type Access = UpdateWebhooks;
    type Path = DeliveryId;
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Empty;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let once = call.once();
        let outcome = webhooks::redeliver(&call.ports, &call.permit, once, call.path).await?;
        Ok(reply::outcome::<Self>(outcome))
    }
}

impl Action for Redeliver {
    type Made = ShownDelivery;

    fn answer(delivery: &ShownDelivery) -> Answer {
        reply::taken(delivery)
    }
}
