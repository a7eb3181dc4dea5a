//! `POST /api/settings/api-keys/{key_id}/revoke`.

use actix_web::HttpResponse;
use domain::ApiKeyId;
use domain::identity::access::ManageKeys;
use domain::identity::api_keys;
use domain::limits::Class;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::{body, reply};

pub(crate) struct Revoke;

impl Endpoint for Revoke {
    const ROUTE: &'static str = "POST /api/settings/api-keys/{key_id}/revoke";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Critical);
    type Access = ManageKeys;
    type Path = ApiKeyId;
    type Query = ();
    type Headers = ();
    type Body = body::Empty;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let key = api_keys::revoke(&call.ports, &call.permit, call.path).await?;
        Ok(reply::changed(&key, key.version))
    }
}
