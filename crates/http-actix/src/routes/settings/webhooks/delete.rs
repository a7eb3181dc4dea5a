//! `DELETE /api/settings/webhooks/{webhook_id}`.

use actix_web::HttpResponse;
use domain::identity::access::DeleteWebhooks;
use domain::kernel::versions::ExpectedVersion;
use domain::{SubscriptionId, webhooks};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

pub(crate) struct Delete;

impl Endpoint for Delete {
    const ROUTE: &'static str = "DELETE /api/settings/webhooks/{webhook_id}";
    type Access = DeleteWebhooks;
    type Path = SubscriptionId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        webhooks::delete(&call.ports, &call.permit, call.path, call.headers).await?;
        Ok(reply::deleted(call.path))
    }
}
