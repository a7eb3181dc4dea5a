//! `DELETE /api/settings/webhooks/{webhook_id}`.

use actix_web::HttpResponse;
use domain::access::DeleteWebhooks;
use domain::versions::ExpectedVersion;
use domain::{SubscriptionId, webhooks};

use crate::call::Call;
use crate::endpoint::Endpoint;
use crate::errors::Failure;
use crate::reply;

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
