//! `POST /issues/bulk-update`.

use actix_web::HttpResponse;
use domain::identity::access::UpdateIssues;
use domain::kernel::idempotency::StoredResponse;
use domain::limits::Class;
use domain::work::issues::{self, BulkUpdated};
use http_core::endpoint::{Action, Endpoint};
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, responses};

pub(crate) struct BulkUpdate;

impl Endpoint for BulkUpdate {
    const ROUTE: &'static str = "POST /api/v1/issues/bulk-update";
    const CLASS: Class = Class::Bulk;
    type Access = UpdateIssues;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<issues::BulkUpdate>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let once = call.once();
        let outcome = issues::bulk_update(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(responses::idempotent::<Self>(outcome))
    }
}

impl Action for BulkUpdate {
    type Output = BulkUpdated;

    fn response(updated: &BulkUpdated) -> StoredResponse {
        responses::ok_response(updated)
    }
}
