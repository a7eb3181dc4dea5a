//! `PATCH /api/settings/api-keys/{key_id}`.

use actix_web::HttpResponse;
use domain::ApiKeyId;
use domain::access::ManageKeys;
use domain::api_keys::{self, RenameFields};
use domain::limits::Class;
use domain::versions::ExpectedVersion;
use http_frame::body::Patch;
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

pub(crate) struct Rename;

impl Endpoint for Rename {
    const ROUTE: &'static str = "PATCH /api/settings/api-keys/{key_id}";
    const CLASS: Class = Class::Critical;
    type Access = ManageKeys;
    type Path = ApiKeyId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = Patch<RenameFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let key = api_keys::rename(&call.ports, &call.permit, call.path, call.headers, call.body.0).await?;
        Ok(reply::changed(&key, key.version))
    }
}
