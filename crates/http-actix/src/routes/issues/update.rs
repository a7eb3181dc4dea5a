//! `PATCH /issues/{issue_id}`.

use actix_web::HttpResponse;
use domain::IssueId;
use domain::access::UpdateIssues;
use domain::issues::{self, IssueFields};
use domain::versions::ExpectedVersion;
use http_frame::body::Patch;
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

pub(crate) struct Update;

impl Endpoint for Update {
    const ROUTE: &'static str = "PATCH /api/v1/issues/{issue_id}";
    type Access = UpdateIssues;
    type Path = IssueId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = Patch<IssueFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let issue = issues::update(&call.ports, &call.permit, call.path, call.headers, call.body.0).await?;
        Ok(reply::changed(&issue, issue.version))
    }
}
