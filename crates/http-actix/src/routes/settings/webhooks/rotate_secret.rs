//! `POST /api/settings/webhooks/{webhook_id}/rotate-secret`.

use actix_web::HttpResponse;
use domain::SubscriptionId;
use domain::identity::access::UpdateWebhooks;
use domain::webhooks::{self, RotateFields};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::{body, reply};

use super::WithSecret;

pub(crate) struct RotateSecret;

impl Endpoint for RotateSecret {
    const ROUTE: &'static str = "POST /api/settings/webhooks/{webhook_id}/rotate-secret";
    type Access = UpdateWebhooks;
    type Path = SubscriptionId;
    type Query = ();
    type Headers = ();
    type Body = body::Create<RotateFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let rotated = webhooks::rotate_secret(&call.ports, &call.permit, call.path, call.body.0).await?;
        let shown = rotated.subscription.shown(rotated.subscription.updated_at);
        Ok(reply::shown(&WithSecret { secret: rotated.secret.reveal(), shown }))
    }
}
