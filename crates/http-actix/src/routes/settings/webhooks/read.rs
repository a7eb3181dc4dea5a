//! `GET /api/settings/webhooks/{webhook_id}`.

use actix_web::HttpResponse;
use domain::identity::access::ReadWebhooks;
use domain::{SubscriptionId, webhooks};
use http_core::conditions::NoneMatch;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

pub(crate) struct Read;

impl Endpoint for Read {
    const ROUTE: &'static str = "GET /api/settings/webhooks/{webhook_id}";
    type Access = ReadWebhooks;
    type Path = SubscriptionId;
    type Query = ();
    type Headers = NoneMatch;
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let webhook = webhooks::read(&call.ports, &call.permit, call.path).await?;
        Ok(reply::one(&webhook, webhook.version, &call.headers))
    }
}
