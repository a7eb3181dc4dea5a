//! `GET /issues/{issue_id}/comments`.

use actix_web::HttpResponse;
use domain::IssueId;
use domain::identity::access::ReadComments;
use domain::work::comments::{self, Comment};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::query::Paged;
use http_core::reply;

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
