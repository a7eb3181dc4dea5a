//! `POST /api/settings/webhooks`.

use actix_web::HttpResponse;
use domain::identity::access::CreateWebhooks;
use domain::webhooks::{self, SubscriptionFields};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::{body, reply};

use super::WithSecret;

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/settings/webhooks";
    type Access = CreateWebhooks;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<SubscriptionFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let made = webhooks::create(&call.ports, &call.permit, call.body.0).await?;
        let shown = made.subscription.shown(made.subscription.created_at);
        let location = format!("/api/settings/webhooks/{}", shown.id);
        Ok(reply::created_once(&WithSecret { secret: made.secret.reveal(), shown }, location))
    }
}
