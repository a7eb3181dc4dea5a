//! `DELETE /crm/deals/{deal_id}`.

use actix_web::HttpResponse;
use domain::DealId;
use domain::crm::deals;
use domain::identity::access::DeleteDeals;
use domain::kernel::versions::ExpectedVersion;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

pub(crate) struct Delete;

impl Endpoint for Delete {
    const ROUTE: &'static str = "DELETE /api/v1/crm/deals/{deal_id}";
    type Access = DeleteDeals;
    type Path = DealId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        deals::delete(&call.ports, &call.permit, call.path, call.headers).await?;
        Ok(reply::deleted(call.path))
    }
}
