//! Listing articles.

use super::{Article, ArticleStatus};
use crate::identity::access::{Permit, ReadArticles};
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, Weight, weighed_statement};
use crate::records::{self, Listed};
use crate::{Error, filter};

filter! {
    /// Filters of the article list; drafts are included.
    pub struct ArticleFilter {
        /// In this status.
        status: Option<ArticleStatus>,
        /// true: those that were deleted within the last 30 days, and no others. For those who may delete them.
        deleted: Option<bool>,
    }
}

/// A page of articles, newest first.
///
/// # Errors
/// Those of the store.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadArticles>,
    filter: ArticleFilter,
    page: PageRequest,
) -> Result<Page<Article>, Error> {
    let weight = Weight::of_page(&page);
    let rows = weighed_statement(ports, permit, weight, move |tx| Ok(tx.kb_articles().list(&filter, &page)?)).await?;
    Ok(Page::from_rows(rows, &page))
}

/// A page of articles: as [`list`], or of those that are deleted if the filter says so.
///
/// # Errors
/// Those of [`list`]; [`Error::RoleNeeded`] and [`Error::GrantNeeded`] for who may not see deleted ones.
pub async fn list_or_deleted(
    ports: &Ports,
    permit: &Permit<ReadArticles>,
    filter: ArticleFilter,
    page: PageRequest,
) -> Result<Page<Listed<Article>>, Error> {
    if filter.deleted != Some(true) {
        return Ok(list(ports, permit, filter, page).await?.map(Listed::from));
    }
    records::list_deleted(ports, permit, filter, page).await
}
