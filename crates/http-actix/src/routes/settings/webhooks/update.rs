//! `PATCH /api/settings/webhooks/{webhook_id}`.

use actix_web::HttpResponse;
use domain::SubscriptionId;
use domain::identity::access::UpdateWebhooks;
use domain::kernel::versions::ExpectedVersion;
use domain::webhooks::{self, SubscriptionFields};
use http_core::body::Patch;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

pub(crate) struct Update;

impl Endpoint for Update {
    const ROUTE: &'static str = "PATCH /api/settings/webhooks/{webhook_id}";
    type Access = UpdateWebhooks;
    type Path = SubscriptionId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = Patch<SubscriptionFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let webhook = webhooks::update(&call.ports, &call.permit, call.path, call.headers, call.body.0).await?;
        Ok(reply::changed(&webhook, webhook.version))
    }
}
