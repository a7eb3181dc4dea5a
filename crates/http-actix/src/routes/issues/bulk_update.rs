//! `POST /issues/bulk-update`.

use actix_web::HttpResponse;
use domain::access::UpdateIssues;
use domain::idempotency::Answer;
use domain::issues::{self, BulkUpdated};
use domain::limits::Class;
use http_frame::body;
use http_frame::call::Call;
use http_frame::endpoint::{Action, Endpoint};
use http_frame::errors::Failure;
use http_frame::idempotency::IdempotencyKey;
use http_frame::reply;

pub(crate) struct BulkUpdate;

impl Endpoint for BulkUpdate {
    const ROUTE: &'static str = "POST /api/v1/issues/bulk-update";
    const CLASS: Class = Class::Bulk;
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
