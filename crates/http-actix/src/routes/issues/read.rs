//! `GET /issues/{issue_id}`.

use actix_web::HttpResponse;
use domain::IssueId;
use domain::identity::access::ReadIssues;
use domain::work::issues;
use http_core::conditions::NoneMatch;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::responses;

pub(crate) struct Read;

impl Endpoint for Read {
    const ROUTE: &'static str = "GET /api/v1/issues/{issue_id}";
    type Access = ReadIssues;
    type Path = IssueId;
    type Query = ();
    type Headers = NoneMatch;
    type Body = ();

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let issue = issues::read(&call.ports, &call.permit, call.path).await?;
        Ok(responses::one(&issue, issue.version, &call.headers))
    }
}
