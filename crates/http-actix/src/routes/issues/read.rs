//! `GET /issues/{issue_id}`.

use actix_web::HttpResponse;
use domain::IssueId;
use domain::identity::access::ReadIssues;
use domain::work::issues;
use http_core::conditions::NoneMatch;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

pub(crate) struct Read;

impl Endpoint for Read {
    const ROUTE: &'static str = "GET /api/v1/issues/{issue_id}";
    type Access = ReadIssues;
    type Path = IssueId;
    type Query = ();
    type Headers = NoneMatch;
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let issue = issues::read(&call.ports, &call.permit, call.path).await?;
        Ok(reply::one(&issue, issue.version, &call.headers))
    }
}
