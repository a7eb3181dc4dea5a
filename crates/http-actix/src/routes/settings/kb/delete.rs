//! `DELETE /api/settings/kb/articles/{article_id}`.

use actix_web::HttpResponse;
use domain::KbArticleId;
use domain::identity::access::DeleteArticles;
use domain::kernel::versions::ExpectedVersion;
use domain::support::kb;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

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
