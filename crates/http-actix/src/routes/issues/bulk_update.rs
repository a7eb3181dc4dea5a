//! `POST /issues/bulk-update`.

use actix_web::HttpResponse;
use domain::identity::access::UpdateIssues;
use domain::kernel::idempotency::Answer;
use domain::limits::Class;
use domain::work::issues::{self, BulkUpdated};
use http_core::endpoint::{Action, Call, Endpoint};
use http_core::errors::Failure;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, reply};

pub(crate) struct BulkUpdate;

impl Endpoint for BulkUpdate {
    const ROUTE: &'static str = "POST /api/v1/issues/bulk-update";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Bulk);
    type Access = UpdateIssues;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<issues::BulkUpdate>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let once = call.once();
        let outcome = issues::bulk_update(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(reply::outcome::<Self>(outcome))
    }
}

impl Action for BulkUpdate {
    type Made = BulkUpdated;

    fn answer(updated: &BulkUpdated) -> Answer {
        reply::done(updated)
    }
}
