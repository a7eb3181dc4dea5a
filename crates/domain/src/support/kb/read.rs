//! Reading one article.

use super::Article;
use crate::identity::access::{Permit, ReadArticles};
use crate::ports::Ports;
use crate::records;
use crate::{Error, KbArticleId};

/// One article of the caller's workspace, draft or published.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ReadArticles>, id: KbArticleId) -> Result<Article, Error> {
    records::read(ports, permit, id).await
}
