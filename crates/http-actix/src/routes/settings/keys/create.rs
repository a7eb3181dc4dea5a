//! `POST /api/settings/api-keys`.

use actix_web::HttpResponse;
use domain::identity::access::ManageKeys;
use domain::identity::api_keys::{self, ApiKeyView, KeyFields};
use domain::limits::Class;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::{body, responses};
use serde::Serialize;

pub(crate) struct Create;

/// A new key: its text is shown this once.
#[derive(Serialize)]
struct CreatedKeyResponse<'a> {
    key: &'a str,
    #[serde(flatten)]
    shown: ApiKeyView,
}

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/settings/api-keys";
    const CLASS: Class = Class::Critical;
    type Access = ManageKeys;
    type Path = ();
    type Query = ();
    // No idempotency key: an answer that shows a secret is never kept.
    type Headers = ();
    type Body = body::Create<KeyFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let made = api_keys::create(&call.ports, &call.permit, call.body.0).await?;
        let shown = made.key.to_view(made.key.created_at);
        let location = format!("/api/settings/api-keys/{}", shown.id);
        Ok(responses::created_with_secret(&CreatedKeyResponse { key: made.plain.reveal(), shown }, location))
    }
}
