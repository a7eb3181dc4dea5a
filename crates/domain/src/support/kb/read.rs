//! Reading one article.

use super::Article;
use crate::identity::access::{Permit, ReadArticles};
use crate::ports::{Ports, statement};
use crate::{Error, KbArticleId};

/// One article of the caller's workspace, draft or published.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ReadArticles>, id: KbArticleId) -> Result<Article, Error> {
    statement(ports, permit, move |tx| tx.kb_articles().get(id)?.ok_or(Error::NotFound("article"))).await
}
