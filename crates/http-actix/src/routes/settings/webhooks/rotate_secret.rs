//! `POST /api/settings/webhooks/{webhook_id}/rotate-secret`.

use actix_web::HttpResponse;
use domain::SubscriptionId;
use domain::access::UpdateWebhooks;
use domain::webhooks::{self, RotateFields};

use super::WithSecret;
use crate::body;
use crate::call::Call;
use crate::endpoint::Endpoint;
use crate::errors::Failure;
use crate::reply;

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
