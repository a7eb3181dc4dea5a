//! Lists articles.

use time::OffsetDateTime;

use super::{Article, ArticleStatus};
use crate::kernel::input::{MAX_IDS, MAX_TAGS, Several, Tag};
use crate::kernel::paging::{Direction, ListOrder, Sort, SortKey, Sorted};
use crate::kernel::search::SearchQuery;
use crate::records::{RecordFilter, list_orders, record_filter};
use crate::{KbArticleId, filter};

list_orders! {
    /// The order of a list of articles.
    pub enum ArticleOrder {
        Newest = "newest": ListOrder::Created,
        Oldest = "oldest": ListOrder::By(Sort::Created, Direction::Up),
    }
}

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

record_filter!(ArticleFilter, words in search or tag);

impl Sorted for Article {
    fn sort_key(&self, by: Sort) -> SortKey {
        if by == Sort::Created { SortKey::Time(self.created_at) } else { SortKey::Nothing }
    }
}
