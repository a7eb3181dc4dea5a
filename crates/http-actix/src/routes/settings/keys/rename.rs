//! `PATCH /api/settings/api-keys/{key_id}`.

use actix_web::HttpResponse;
use domain::ApiKeyId;
use domain::identity::access::ManageKeys;
use domain::identity::api_keys::{self, RenameFields};
use domain::kernel::versions::ExpectedVersion;
use domain::limits::Class;
use http_core::body::Patch;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

pub(crate) struct Rename;

impl Endpoint for Rename {
    const ROUTE: &'static str = "PATCH /api/settings/api-keys/{key_id}";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Critical);
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
