//! `GET /issues`.

use actix_web::HttpResponse;
use domain::identity::access::ReadIssues;
use domain::kernel::IssueKind;
use domain::kernel::paging::{ListName, PageRequest};
use domain::work::issues::{self, IssueFilter, IssueStatus};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::query::{Query, QueryReader};
use http_core::reply;

pub(crate) struct List;

pub(crate) struct Parameters {
    filter: IssueFilter,
    page: PageRequest,
}

impl Query for Parameters {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let filter = IssueFilter {
            kind: query.word("kind", IssueKind::from_word, IssueKind::words).unwrap_or(IssueKind::Task),
            status: query.word("status", IssueStatus::from_word, IssueStatus::words),
            project_id: query.id("project_id"),
            search: query.search(),
        };
        Self { filter, page: query.page(ListName::Issues) }
    }
}

impl Endpoint for List {
    const ROUTE: &'static str = "GET /api/v1/issues";
    type Access = ReadIssues;
    type Path = ();
    type Query = Parameters;
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let page = issues::list(&call.ports, &call.permit, call.query.filter, call.query.page).await?;
        Ok(reply::list(&page))
    }
}
