//! `GET /crm/deals/{deal_id}`.

use actix_web::HttpResponse;
use domain::access::ReadDeals;
use domain::{DealId, deals};
use http_frame::call::Call;
use http_frame::conditions::NoneMatch;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

pub(crate) struct Read;

impl Endpoint for Read {
    const ROUTE: &'static str = "GET /api/v1/crm/deals/{deal_id}";
    type Access = ReadDeals;
    type Path = DealId;
    type Query = ();
    type Headers = NoneMatch;
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let deal = deals::read(&call.ports, &call.permit, call.path).await?;
        Ok(reply::one(&deal, deal.version, &call.headers))
    }
}
