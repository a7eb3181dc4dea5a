//! `POST /api/settings/webhooks/{webhook_id}/test`.

use actix_web::HttpResponse;
use domain::identity::access::UpdateWebhooks;
use domain::kernel::idempotency::StoredResponse;
use domain::webhooks::DeliveryView;
use domain::{SubscriptionId, webhooks};
use http_core::endpoint::{Action, Endpoint};
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, responses};

pub(crate) struct Test;

impl Endpoint for Test {
    const ROUTE: &'static str = "POST /api/settings/webhooks/{webhook_id}/test";
    type Access = UpdateWebhooks;
    type Path = SubscriptionId;
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Empty;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let once = call.once();
        let outcome = webhooks::send_test(&call.ports, &call.permit, once, call.path).await?;
        Ok(responses::idempotent::<Self>(outcome))
    }
}

impl Action for Test {
    type Output = DeliveryView;

    fn response(delivery: &DeliveryView) -> StoredResponse {
        responses::accepted_response(delivery)
    }
}
