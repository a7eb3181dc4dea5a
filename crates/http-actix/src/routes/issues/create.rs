//! `POST /issues`.

use actix_web::HttpResponse;
use domain::identity::access::CreateIssues;
use domain::kernel::idempotency::StoredResponse;
use domain::work::issues::{self, Issue, NewIssue};
use http_core::endpoint::{Action, Endpoint};
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, responses};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/v1/issues";
    type Access = CreateIssues;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<NewIssue>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let once = call.once();
        let outcome = issues::create(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(responses::idempotent::<Self>(outcome))
    }
}

impl Action for Create {
    type Output = Issue;

    fn response(issue: &Issue) -> StoredResponse {
        responses::created(issue, format!("/api/v1/issues/{}", issue.id))
    }
}
