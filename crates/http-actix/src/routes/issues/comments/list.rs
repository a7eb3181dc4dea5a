//! `GET /issues/{issue_id}/comments`.

use actix_web::HttpResponse;
use domain::IssueId;
use domain::access::ReadComments;
use domain::issues::comments::{self, Comment};
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::query::Paged;
use http_frame::reply;

pub(crate) struct List;

impl Endpoint for List {
    const ROUTE: &'static str = "GET /api/v1/issues/{issue_id}/comments";
    type Access = ReadComments;
    type Path = IssueId;
    type Query = Paged<Comment>;
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let page = comments::list(&call.ports, &call.permit, call.path, call.query.page).await?;
        Ok(reply::list(&page))
    }
}
