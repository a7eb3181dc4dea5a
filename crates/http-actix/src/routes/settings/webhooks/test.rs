//! `POST /api/settings/webhooks/{webhook_id}/test`.

use actix_web::HttpResponse;
use domain::identity::access::UpdateWebhooks;
use domain::kernel::idempotency::Answer;
use domain::webhooks::ShownDelivery;
use domain::{SubscriptionId, webhooks};
use http_core::endpoint::{Action, Call, Endpoint};
use http_core::errors::Failure;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, reply};

pub(crate) struct Test;

impl Endpoint for Test {
    const ROUTE: &'static str = "POST /api/settings/webhooks/{webhook_id}/test";
    type Access = UpdateWebhooks;
    type Path = SubscriptionId;
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Empty;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let once = call.once();
        let outcome = webhooks::send_test(&call.ports, &call.permit, once, call.path).await?;
        Ok(reply::outcome::<Self>(outcome))
    }
}

impl Action for Test {
    type Made = ShownDelivery;

    fn answer(delivery: &ShownDelivery) -> Answer {
        reply::taken(delivery)
    }
}
