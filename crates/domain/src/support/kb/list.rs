//! Listing articles.

use super::{Article, ArticleStatus};
use crate::identity::access::{Permit, ReadArticles};
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, Weight, weighed_statement};
use crate::{Error, filter};

filter! {
    /// Filters of the article list; drafts are included.
    pub struct ArticleFilter {
        /// In this status.
        status: Option<ArticleStatus>,
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
