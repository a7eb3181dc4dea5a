//! `PATCH /api/settings/kb/articles/{article_id}`.

use actix_web::HttpResponse;
use domain::KbArticleId;
use domain::access::UpdateArticles;
use domain::kb::{self, ArticleFields};
use domain::versions::ExpectedVersion;
use http_frame::body::Patch;
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

pub(crate) struct Update;

impl Endpoint for Update {
    const ROUTE: &'static str = "PATCH /api/settings/kb/articles/{article_id}";
    type Access = UpdateArticles;
    type Path = KbArticleId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = Patch<ArticleFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let article = kb::update(&call.ports, &call.permit, call.path, call.headers, call.body.0).await?;
        Ok(reply::changed(&article, article.version))
    }
}
