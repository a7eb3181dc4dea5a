//! `DELETE /crm/deals/{deal_id}`.

use actix_web::HttpResponse;
use domain::access::DeleteDeals;
use domain::versions::ExpectedVersion;
use domain::{DealId, deals};
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

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
