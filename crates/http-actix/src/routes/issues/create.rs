//! `POST /issues`.

use actix_web::HttpResponse;
use domain::identity::access::CreateIssues;
use domain::kernel::idempotency::Answer;
use domain::work::issues::{self, Issue, NewIssue};
use http_core::endpoint::{Action, Call, Endpoint};
use http_core::errors::Failure;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, reply};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/v1/issues";
    type Access = CreateIssues;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<NewIssue>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let once = call.once();
        let outcome = issues::create(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(reply::outcome::<Self>(outcome))
    }
}

impl Action for Create {
    type Made = Issue;

    fn answer(issue: &Issue) -> Answer {
        reply::created(issue, format!("/api/v1/issues/{}", issue.id))
    }
}
