//! `POST /api/settings/api-keys/{key_id}/revoke`.

use actix_web::HttpResponse;
use domain::access::ManageKeys;
use domain::limits::Class;
use domain::{ApiKeyId, api_keys};

use crate::call::Call;
use crate::endpoint::Endpoint;
use crate::errors::Failure;
use crate::reply;

pub(crate) struct Revoke;

impl Endpoint for Revoke {
    const ROUTE: &'static str = "POST /api/settings/api-keys/{key_id}/revoke";
    const CLASS: Class = Class::Critical;
    type Access = ManageKeys;
    type Path = ApiKeyId;
    type Query = ();
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let key = api_keys::revoke(&call.ports, &call.permit, call.path).await?;
        Ok(reply::changed(&key, key.version))
    }
}
