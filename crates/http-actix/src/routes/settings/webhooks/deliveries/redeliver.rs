//! `POST /api/settings/webhooks/deliveries/{delivery_id}/redeliver`.

use actix_web::HttpResponse;
use domain::identity::access::UpdateWebhooks;
use domain::kernel::idempotency::StoredResponse;
use domain::webhooks::DeliveryView;
use domain::{DeliveryId, webhooks};
use http_core::endpoint::{Action, Endpoint};
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, responses};

pub(crate) struct Redeliver;

impl Endpoint for Redeliver {
    const ROUTE: &'static str = "POST /api/settings/webhooks/deliveries/{delivery_id}/redeliver";
    type Access = UpdateWebhooks;
    type Path = DeliveryId;
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Empty;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let once = call.once();
        let outcome = webhooks::redeliver(&call.ports, &call.permit, once, call.path).await?;
        Ok(responses::idempotent::<Self>(outcome))
    }
}

impl Action for Redeliver {
    type Output = DeliveryView;

    fn response(delivery: &DeliveryView) -> StoredResponse {
        responses::accepted_response(delivery)
    }
}
