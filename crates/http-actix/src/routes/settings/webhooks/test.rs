//! `POST /api/settings/webhooks/{webhook_id}/test`.

use actix_web::HttpResponse;
use domain::access::UpdateWebhooks;
use domain::idempotency::Answer;
use domain::webhooks::ShownDelivery;
use domain::{SubscriptionId, webhooks};
use http_frame::body;
use http_frame::call::Call;
use http_frame::endpoint::{Action, Endpoint};
use http_frame::errors::Failure;
use http_frame::idempotency::IdempotencyKey;
use http_frame::reply;

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
