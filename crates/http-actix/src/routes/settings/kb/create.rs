//! `POST /api/settings/kb/articles`.

use actix_web::HttpResponse;
use domain::identity::access::CreateArticles;
use domain::kernel::idempotency::StoredResponse;
use domain::support::kb::{self, Article, ArticleFields};
use http_core::endpoint::{Action, Endpoint};
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, responses};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/settings/kb/articles";
    type Access = CreateArticles;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<ArticleFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let once = call.once();
        let outcome = kb::create(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(responses::idempotent::<Self>(outcome))
    }
}

impl Action for Create {
    type Output = Article;

    fn response(article: &Article) -> StoredResponse {
        responses::created(article, format!("/api/settings/kb/articles/{}", article.id))
    }
}
