//! `DELETE /api/settings/kb/articles/{article_id}`.

use actix_web::HttpResponse;
use domain::access::DeleteArticles;
use domain::versions::ExpectedVersion;
use domain::{KbArticleId, kb};
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

pub(crate) struct Delete;

impl Endpoint for Delete {
    const ROUTE: &'static str = "DELETE /api/settings/kb/articles/{article_id}";
    type Access = DeleteArticles;
    type Path = KbArticleId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        kb::delete(&call.ports, &call.permit, call.path, call.headers).await?;
        Ok(reply::deleted(call.path))
    }
}
