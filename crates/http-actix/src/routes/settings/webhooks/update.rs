//! `PATCH /api/settings/webhooks/{webhook_id}`.

use actix_web::HttpResponse;
use domain::SubscriptionId;
use domain::identity::access::UpdateWebhooks;
use domain::kernel::versions::ExpectedVersion;
use domain::webhooks::{self, SubscriptionFields};
use http_core::body::Patch;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::responses;

pub(crate) struct Update;

impl Endpoint for Update {
    const ROUTE: &'static str = "PATCH /api/settings/webhooks/{webhook_id}";
    type Access = UpdateWebhooks;
    type Path = SubscriptionId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = Patch<SubscriptionFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let webhook = webhooks::update(&call.ports, &call.permit, call.path, call.headers, call.body.0).await?;
        Ok(responses::changed(&webhook, webhook.version))
    }
}
