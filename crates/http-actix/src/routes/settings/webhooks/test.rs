//! `POST /api/settings/webhooks/{webhook_id}/test`.

use actix_web::HttpResponse;
use domain::access::UpdateWebhooks;
use domain::idempotency::Answer;
use domain::webhooks::ShownDelivery;
use domain::{SubscriptionId, webhooks};

use crate::call::Call;
use crate::endpoint::{Action, Endpoint};
use crate::errors::Failure;
use crate::idempotency::IdempotencyKey;
use crate::reply;

pub(crate) struct Test;

impl Endpoint for Test {
    const ROUTE: &'static str = "POST /api/settings/webhooks/{webhook_id}/test";
    type Access = UpdateWebhooks;
    type Path = SubscriptionId;
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = ();

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
