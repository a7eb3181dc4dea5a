//! `GET /api/settings/kb/articles/{article_id}`.

use actix_web::HttpResponse;
use domain::KbArticleId;
use domain::identity::access::ReadArticles;
use domain::support::kb;
use http_core::conditions::NoneMatch;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

pub(crate) struct Read;

impl Endpoint for Read {
    const ROUTE: &'static str = "GET /api/settings/kb/articles/{article_id}";
    type Access = ReadArticles;
    type Path = KbArticleId;
    type Query = ();
    type Headers = NoneMatch;
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let article = kb::read(&call.ports, &call.permit, call.path).await?;
        Ok(reply::one(&article, article.version, &call.headers))
    }
}
