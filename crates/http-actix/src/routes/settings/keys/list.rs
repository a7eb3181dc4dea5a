//! `GET /api/settings/api-keys`.

use actix_web::HttpResponse;
use domain::access::ManageKeys;
use domain::api_keys::{self, ApiKey};
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::query::Paged;
use http_frame::reply;

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
