//! `GET /api/settings/kb/articles/{article_id}`.

use actix_web::HttpResponse;
use domain::access::ReadArticles;
use domain::{KbArticleId, kb};
use http_frame::call::Call;
use http_frame::conditions::NoneMatch;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

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
