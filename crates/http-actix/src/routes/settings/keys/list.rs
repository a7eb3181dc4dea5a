//! `GET /api/settings/api-keys`.

use actix_web::HttpResponse;
use domain::identity::access::ManageKeys;
use domain::identity::api_keys::{self, ApiKey};
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::query::Paged;
use http_core::responses;

pub(crate) struct List;

impl Endpoint for List {
    const ROUTE: &'static str = "GET /api/settings/api-keys";
    type Access = ManageKeys;
    type Path = ();
    type Query = Paged<ApiKey>;
    type Headers = ();
    type Body = ();

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let page = api_keys::list(&call.ports, &call.permit, call.query.page).await?;
        Ok(responses::list(&page))
    }
}
