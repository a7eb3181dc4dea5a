//! `GET /issues/{issue_id}`.

use actix_web::HttpResponse;
use domain::access::ReadIssues;
use domain::{IssueId, issues};
use http_frame::call::Call;
use http_frame::conditions::NoneMatch;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

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
