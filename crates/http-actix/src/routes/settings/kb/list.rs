//! `GET /api/settings/kb/articles`.

use actix_web::HttpResponse;
use domain::identity::access::ReadArticles;
use domain::kernel::paging::{ListName, PageRequest};
use domain::support::kb::{self, ArticleFilter, ArticleStatus};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::query::{Query, QueryReader};
use http_core::reply;

pub(crate) struct List;

pub(crate) struct Parameters {
    filter: ArticleFilter,
    page: PageRequest,
}

impl Query for Parameters {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let filter = ArticleFilter { status: query.word("status", ArticleStatus::from_word, ArticleStatus::words) };
        Self { filter, page: query.page(ListName::KbArticles) }
    }
}

impl Endpoint for List {
    const ROUTE: &'static str = "GET /api/settings/kb/articles";
    type Access = ReadArticles;
    type Path = ();
    type Query = Parameters;
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let page = kb::list(&call.ports, &call.permit, call.query.filter, call.query.page).await?;
        Ok(reply::list(&page))
    }
}
