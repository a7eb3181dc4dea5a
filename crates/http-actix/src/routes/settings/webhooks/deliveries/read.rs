//! `GET /api/settings/webhooks/deliveries/{delivery_id}`.

use actix_web::HttpResponse;
use domain::identity::access::ReadWebhooks;
use domain::{DeliveryId, webhooks};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

pub(crate) struct Read;

impl Endpoint for Read {
    const ROUTE: &'static str = "GET /api/settings/webhooks/deliveries/{delivery_id}";
    type Access = ReadWebhooks;
    type Path = DeliveryId;
    type Query = ();
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        Ok(reply::shown(&webhooks::read_delivery(&call.ports, &call.permit, call.path).await?))
    }
}
