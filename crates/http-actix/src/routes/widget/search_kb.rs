//! `GET /api/widget/{workspace_id}/kb/search`.

use actix_web::HttpResponse;
use domain::limits::Class;
use domain::support;
use http_core::customer_auth::WidgetPage;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::responses;

use crate::routes::public::KbParameters;

pub(crate) struct SearchKb;

impl Endpoint for SearchKb {
    const ROUTE: &'static str = "GET /api/widget/{workspace_id}/kb/search";
    const PUBLIC_CLASS: Option<Class> = Some(Class::PublicKbSearches);
    type Access = WidgetPage;
    type Path = ();
    type Query = KbParameters;
    type Headers = ();
    type Body = ();

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let hits = match call.query.query {
            Some(query) => support::search_kb(&call.ports, &call.permit, query, call.query.limit).await?,
            None => Vec::new(),
        };
        Ok(responses::ok(&hits))
    }
}
