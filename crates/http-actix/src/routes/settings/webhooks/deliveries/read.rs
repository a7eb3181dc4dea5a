//! `GET /api/settings/webhooks/deliveries/{delivery_id}`.

use actix_web::HttpResponse;
use domain::identity::access::ReadWebhooks;
use domain::{DeliveryId, webhooks};
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::responses;

pub(crate) struct Read;

impl Endpoint for Read {
    const ROUTE: &'static str = "GET /api/settings/webhooks/deliveries/{delivery_id}";
    type Access = ReadWebhooks;
    type Path = DeliveryId;
    type Query = ();
    type Headers = ();
    type Body = ();

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        Ok(responses::ok(&webhooks::read_delivery(&call.ports, &call.permit, call.path).await?))
    }
}
