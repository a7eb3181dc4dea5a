//! `POST /api/settings/api-keys/{key_id}/revoke`.

use actix_web::HttpResponse;
use domain::access::ManageKeys;
use domain::limits::Class;
use domain::{ApiKeyId, api_keys};
use http_frame::body;
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

pub(crate) struct Revoke;

impl Endpoint for Revoke {
    const ROUTE: &'static str = "POST /api/settings/api-keys/{key_id}/revoke";
    const CLASS: Class = Class::Critical;
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
