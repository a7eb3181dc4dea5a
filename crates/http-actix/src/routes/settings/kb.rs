//! `/api/settings/kb/articles`.

use domain::KbArticleId;
use domain::identity::access::{CreateArticles, DeleteArticles, ReadArticles, UpdateArticles};
use domain::kernel::versions::ExpectedVersion;
use domain::records::{self, Listed};
use domain::support::kb::{Article, ArticleFields, ArticleFilter};
use http_core::body::{self, Patch};
use http_core::conditions::NoneMatch;
use http_core::query::Records;
use http_core::{action, operation};

operation! {
    /// List articles of the knowledge base.
    List = "GET /api/settings/kb/articles", access: ReadArticles, query: Records<ArticleFilter, Article>
    => records(records::list_or_deleted(filter, page)) -> Listed<Article>
}

action! {
    /// Create an article.
    Create = "POST /api/settings/kb/articles", access: CreateArticles, body: body::Create<ArticleFields>,
    errors: [Duplicate]
    => records::create(body) -> Article, created(|article| format!("/api/settings/kb/articles/{}", article.id))
}

operation! {
    /// Read an article.
    Read = "GET /api/settings/kb/articles/{article_id}", access: ReadArticles, path: KbArticleId, headers: NoneMatch
    => one(records::read(path)) -> Article
}

operation! {
    /// Change an article.
    Update = "PATCH /api/settings/kb/articles/{article_id}",
    access: UpdateArticles, path: KbArticleId, headers: ExpectedVersion, body: Patch<ArticleFields>,
    errors: [Duplicate]
    => changed(records::update(path, headers, body)) -> Article
}

operation! {
    /// Delete an article.
    Delete = "DELETE /api/settings/kb/articles/{article_id}",
    access: DeleteArticles, path: KbArticleId, headers: ExpectedVersion
    => deleted(records::delete::<Article>(path, headers))
}
