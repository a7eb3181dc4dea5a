//! `POST /crm/deals`.

use actix_web::HttpResponse;
use domain::crm::deals::{self, Deal, DealFields};
use domain::identity::access::CreateDeals;
use domain::kernel::idempotency::Answer;
use http_core::endpoint::{Action, Call, Endpoint};
use http_core::errors::Failure;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, reply};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/v1/crm/deals";
    type Access = CreateDeals;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<DealFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let once = call.once();
        let outcome = deals::create(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(reply::outcome::<Self>(outcome))
    }
}

impl Action for Create {
    type Made = Deal;

    fn answer(deal: &Deal) -> Answer {
        reply::created(deal, format!("/api/v1/crm/deals/{}", deal.id))
    }
}
