//! `PATCH /api/settings/webhooks/{webhook_id}`.

use actix_web::HttpResponse;
use domain::SubscriptionId;
use domain::access::UpdateWebhooks;
use domain::versions::ExpectedVersion;
use domain::webhooks::{self, SubscriptionFields};
use http_frame::body::Patch;
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

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
