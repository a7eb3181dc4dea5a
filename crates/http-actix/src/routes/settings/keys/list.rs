//! `GET /api/settings/api-keys`.

use actix_web::HttpResponse;
use domain::identity::access::ManageKeys;
use domain::identity::api_keys::{self, ApiKey};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::query::Paged;
use http_core::reply;

pub(crate) struct List;

impl Endpoint for List {
    const ROUTE: &'static str = "GET /api/settings/api-keys";
    type Access = ManageKeys;
    type Path = ();
    type Query = Paged<ApiKey>;
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let page = api_keys::list(&call.ports, &call.permit, call.query.page).await?;
        Ok(reply::list(&page))
    }
}
