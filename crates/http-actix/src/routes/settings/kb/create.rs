//! `POST /api/settings/kb/articles`.

use actix_web::HttpResponse;
use domain::identity::access::CreateArticles;
use domain::kernel::idempotency::Answer;
use domain::support::kb::{self, Article, ArticleFields};
use http_core::endpoint::{Action, Call, Endpoint};
use http_core::errors::Failure;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, reply};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/settings/kb/articles";
    type Access = CreateArticles;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<ArticleFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let once = call.once();
        let outcome = kb::create(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(reply::outcome::<Self>(outcome))
    }
}

impl Action for Create {
    type Made = Article;

    fn answer(article: &Article) -> Answer {
        reply::created(article, format!("/api/settings/kb/articles/{}", article.id))
    }
}
