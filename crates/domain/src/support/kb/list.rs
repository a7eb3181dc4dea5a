//! Listing articles.

use time::OffsetDateTime;

use super::{Article, ArticleStatus};
use crate::identity::access::{DeleteArticles, Permit, ReadArticles};
use crate::kernel::input::{MAX_IDS, MAX_TAGS, Problems, Several, Tag, choices, readable_choices, times_of_creation};
use crate::kernel::paging::{Direction, ListOrder, Page, PageRequest, Sort, SortKey, Sorted};
use crate::kernel::search::SearchQuery;
use crate::kernel::totals::ListTotals;
use crate::ports::{Ports, Weight, weighed_read_only};
use crate::records::{self, Listed, note_order_of_deleted};
use crate::{Error, KbArticleId, filter};

choices! {
    /// The order of a list of articles.
    pub enum ArticleOrder {
        /// The newest first.
        Newest = "newest",
        /// The oldest first.
        Oldest = "oldest",
    }
}

readable_choices!(ArticleOrder);

filter! {
    /// Filters of the article list; drafts are included, and what is absent matches all.
    pub struct ArticleFilter {
        /// Word prefixes in title and tags; all must match.
        search: Option<SearchQuery>,
        /// In this status.
        status: Option<ArticleStatus>,
        /// With any of these tags; case-insensitive.
        tag: Several<Tag, MAX_TAGS>,
        /// true: only those deleted in the last 30 days; needs permission to delete.
        /// Contract: additional.
        deleted: Option<bool>,
        /// Created at this time or later.
        /// Contract: additional.
        created_since: Option<OffsetDateTime>,
        /// Created before this time.
        /// Contract: additional.
        created_before: Option<OffsetDateTime>,
    }
    only in queries {
        /// With any of these ids.
        /// Contract: additional.
        ids: Several<KbArticleId, MAX_IDS>,
        /// `newest` (default) or `oldest`.
        /// Contract: additional.
        order: Option<ArticleOrder>,
    }
    together ArticleFilter::check_together;
}

times_of_creation!(ArticleFilter);

impl ArticleFilter {
    fn check_together(&self, problems: &mut Problems) {
        note_order_of_deleted(self.deleted, self.sorted_by(), problems);
        self.created().check_range(problems);
    }

    /// Whether no article can match, which avoids a query.
    pub fn matches_nothing(&self) -> bool {
        self.search.as_ref().is_some_and(SearchQuery::matches_nothing)
    }

    /// What the list is sorted by.
    pub fn sorted_by(&self) -> ListOrder {
        match self.order {
            None | Some(ArticleOrder::Newest) => ListOrder::Created,
            Some(ArticleOrder::Oldest) => ListOrder::By(Sort::Created, Direction::Up),
        }
    }
}

impl Sorted for Article {
    fn sort_key(&self, by: Sort) -> SortKey {
        if by == Sort::Created { SortKey::Time(self.created_at) } else { SortKey::Nothing }
    }
}

/// A page of articles in the order of the filter.
///
/// # Errors
/// [`Error::Malformed`] for a cursor of another order; [`Error::SearchTooSlow`], and those of the store.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadArticles>,
    filter: ArticleFilter,
    page: PageRequest,
) -> Result<Page<Article>, Error> {
    let order = filter.sorted_by();
    page.check_order(order)?;
    let weight = Weight::of_list(&page, filter.search.is_some() || !filter.tag.0.is_empty());
    let rows =
        weighed_read_only(ports, permit, weight, move |tx| Ok(tx.lists::<Article>().list(&filter, &page)?)).await?;
    Ok(if let ListOrder::By(by, direction) = order {
        Page::by_key(rows, &page, by, direction)
    } else {
        Page::from_rows(rows, &page)
    })
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
    if filter.matches_nothing() {
        permit.check_sees_deleted::<DeleteArticles>()?;
        return Ok(Page::from_rows(Vec::new(), &page));
    }
    records::list_deleted(ports, permit, filter, page).await
}

/// How many articles match a filter.
///
/// # Errors
/// [`Error::Malformed`] for deleted ones; those of the store.
pub async fn totals(ports: &Ports, permit: &Permit<ReadArticles>, filter: ArticleFilter) -> Result<ListTotals, Error> {
    records::check_adds_up(filter.deleted == Some(true))?;
    if filter.matches_nothing() {
        return Ok(ListTotals::of(Vec::new()));
    }
    let counting =
        weighed_read_only(ports, permit, Weight::Search, move |tx| Ok(tx.lists::<Article>().totals(&filter)?));
    records::totals_of(counting).await
}
