//! `DELETE /issues/{issue_id}`.

use actix_web::HttpResponse;
use domain::access::DeleteIssues;
use domain::versions::ExpectedVersion;
use domain::{IssueId, issues};
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

pub(crate) struct Delete;

impl Endpoint for Delete {
    const ROUTE: &'static str = "DELETE /api/v1/issues/{issue_id}";
    type Access = DeleteIssues;
    type Path = IssueId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        issues::delete(&call.ports, &call.permit, call.path, call.headers).await?;
        Ok(reply::deleted(call.path))
    }
}
