//! `GET /projects/{project_id}/issues`.

use actix_web::HttpResponse;
use domain::ProjectId;
use domain::identity::access::ReadProjectIssues;
use domain::work::issues::{self, Issue};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::query::Paged;
use http_core::reply;

pub(crate) struct ListIssues;

impl Endpoint for ListIssues {
    const ROUTE: &'static str = "GET /api/v1/projects/{project_id}/issues";
    type Access = ReadProjectIssues;
    type Path = ProjectId;
    type Query = Paged<Issue>;
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let page = issues::list_of_project(&call.ports, &call.permit, call.path, call.query.page).await?;
        Ok(reply::list(&page))
    }
}
