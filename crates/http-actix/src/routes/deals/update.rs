//! `PATCH /crm/deals/{deal_id}`.

use actix_web::HttpResponse;
use domain::DealId;
use domain::crm::deals::{self, DealFields};
use domain::identity::access::UpdateDeals;
use domain::kernel::versions::ExpectedVersion;
use http_core::body::Patch;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

pub(crate) struct Update;

impl Endpoint for Update {
    const ROUTE: &'static str = "PATCH /api/v1/crm/deals/{deal_id}";
    type Access = UpdateDeals;
    type Path = DealId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = Patch<DealFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let deal = deals::update(&call.ports, &call.permit, call.path, call.headers, call.body.0).await?;
        Ok(reply::changed(&deal, deal.version))
    }
}
