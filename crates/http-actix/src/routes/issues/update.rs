//! `PATCH /issues/{issue_id}`.

use actix_web::HttpResponse;
use domain::IssueId;
use domain::identity::access::UpdateIssues;
use domain::kernel::versions::ExpectedVersion;
use domain::work::issues::{self, IssueFields};
use http_core::body::Patch;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

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
