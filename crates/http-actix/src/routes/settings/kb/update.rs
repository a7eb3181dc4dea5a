//! `PATCH /api/settings/kb/articles/{article_id}`.

use actix_web::HttpResponse;
use domain::KbArticleId;
use domain::identity::access::UpdateArticles;
use domain::kernel::versions::ExpectedVersion;
use domain::support::kb::{self, ArticleFields};
use http_core::body::Patch;
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::responses;

pub(crate) struct Update;

impl Endpoint for Update {
    const ROUTE: &'static str = "PATCH /api/settings/kb/articles/{article_id}";
    type Access = UpdateArticles;
    type Path = KbArticleId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = Patch<ArticleFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let article = kb::update(&call.ports, &call.permit, call.path, call.headers, call.body.0).await?;
        Ok(responses::changed(&article, article.version))
    }
}
