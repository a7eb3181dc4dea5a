//! `POST /crm/deals`.

use actix_web::HttpResponse;
use domain::crm::deals::{self, Deal, DealFields};
use domain::identity::access::CreateDeals;
use domain::kernel::idempotency::StoredResponse;
use http_core::endpoint::{Action, Endpoint};
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, responses};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/v1/crm/deals";
    type Access = CreateDeals;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<DealFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let once = call.once();
        let outcome = deals::create(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(responses::idempotent::<Self>(outcome))
    }
}

impl Action for Create {
    type Output = Deal;

    fn response(deal: &Deal) -> StoredResponse {
        responses::created(deal, format!("/api/v1/crm/deals/{}", deal.id))
    }
}
