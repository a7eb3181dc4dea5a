//! `GET /api/settings/api-keys`.

use actix_web::HttpResponse;
use domain::access::ManageKeys;
use domain::api_keys::{self, ApiKey};

use crate::call::Call;
use crate::endpoint::Endpoint;
use crate::errors::Failure;
use crate::query::Paged;
use crate::reply;

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
