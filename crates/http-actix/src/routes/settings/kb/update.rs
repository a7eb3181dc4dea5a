//! `PATCH /api/settings/kb/articles/{article_id}`.

use actix_web::HttpResponse;
use domain::KbArticleId;
use domain::identity::access::UpdateArticles;
use domain::kernel::versions::ExpectedVersion;
use domain::support::kb::{self, ArticleFields};
use http_core::body::Patch;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

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
