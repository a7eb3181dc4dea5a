//! `POST /api/settings/webhooks`.

use actix_web::HttpResponse;
use domain::identity::access::CreateWebhooks;
use domain::webhooks::{self, SubscriptionFields};
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::{body, responses};

use super::WithSecret;

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/settings/webhooks";
    type Access = CreateWebhooks;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<SubscriptionFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let made = webhooks::create(&call.ports, &call.permit, call.body.0).await?;
        let shown = made.subscription.to_view(made.subscription.created_at);
        let location = format!("/api/settings/webhooks/{}", shown.id);
        Ok(responses::created_with_secret(&WithSecret { secret: made.secret.reveal(), shown }, location))
    }
}
