//! `DELETE /crm/deals/{deal_id}`.

use actix_web::HttpResponse;
use domain::DealId;
use domain::crm::deals;
use domain::identity::access::DeleteDeals;
use domain::kernel::versions::ExpectedVersion;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::responses;

pub(crate) struct Delete;

impl Endpoint for Delete {
    const ROUTE: &'static str = "DELETE /api/v1/crm/deals/{deal_id}";
    type Access = DeleteDeals;
    type Path = DealId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = ();

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        deals::delete(&call.ports, &call.permit, call.path, call.headers).await?;
        Ok(responses::deleted(call.path))
    }
}
