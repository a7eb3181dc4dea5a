//! `POST /api/settings/api-keys`.

use actix_web::HttpResponse;
use domain::identity::access::ManageKeys;
use domain::identity::api_keys::{self, KeyFields, ShownKey};
use domain::limits::Class;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::{body, reply};
use serde::Serialize;

pub(crate) struct Create;

/// A new key: its text is shown this once.
#[derive(Serialize)]
struct Made<'a> {
    key: &'a str,
    #[serde(flatten)]
    shown: ShownKey,
}

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/settings/api-keys";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Critical);
    type Access = ManageKeys;
    type Path = ();
    type Query = ();
    // No idempotency key: an answer that shows a secret is never kept.
    type Headers = ();
    type Body = body::Create<KeyFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let made = api_keys::create(&call.ports, &call.permit, call.body.0).await?;
        let shown = made.key.shown(made.key.created_at);
        let location = format!("/api/settings/api-keys/{}", shown.id);
        Ok(reply::created_once(&Made { key: made.plain.reveal(), shown }, location))
    }
}
