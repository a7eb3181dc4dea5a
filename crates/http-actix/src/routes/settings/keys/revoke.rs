//! `POST /api/settings/api-keys/{key_id}/revoke`.

use actix_web::HttpResponse;
use domain::ApiKeyId;
use domain::identity::access::ManageKeys;
use domain::identity::api_keys;
use domain::limits::Class;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::{body, responses};

pub(crate) struct Revoke;

impl Endpoint for Revoke {
    const ROUTE: &'static str = "POST /api/settings/api-keys/{key_id}/revoke";
    const CLASS: Class = Class::Critical;
    type Access = ManageKeys;
    type Path = ApiKeyId;
    type Query = ();
    type Headers = ();
    type Body = body::Empty;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let key = api_keys::revoke(&call.ports, &call.permit, call.path).await?;
        Ok(responses::changed(&key, key.version))
    }
}
