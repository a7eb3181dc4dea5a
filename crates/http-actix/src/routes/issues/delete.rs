//! `DELETE /issues/{issue_id}`.

use actix_web::HttpResponse;
use domain::IssueId;
use domain::identity::access::DeleteIssues;
use domain::kernel::versions::ExpectedVersion;
use domain::work::issues;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

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
