//! `GET /api/settings/kb/articles`.

use actix_web::HttpResponse;
use domain::access::ReadArticles;
use domain::kb::{self, ArticleFilter, ArticleStatus};
use domain::paging::{ListName, PageRequest};
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::query::{Query, QueryReader};
use http_frame::reply;

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
