//! `GET /crm/deals/{deal_id}`.

use actix_web::HttpResponse;
use domain::DealId;
use domain::crm::deals;
use domain::identity::access::ReadDeals;
use http_core::conditions::NoneMatch;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

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
