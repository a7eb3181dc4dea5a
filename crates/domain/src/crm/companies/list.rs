//! Listing and searching companies.

use time::OffsetDateTime;

use super::Company;
use crate::identity::access::{Permit, ReadCompanies};
use crate::kernel::input::{HostName, Line, MAX_IDS, Problems, Several, times_of_creation};
use crate::kernel::paging::{ListOrder, NameKey, Page, PageRequest, Sort, SortKey, Sorted};
use crate::kernel::search::SearchQuery;
use crate::kernel::totals::ListTotals;
use crate::ports::Ports;
use crate::records::{self, Listed, RecordOrder, note_order_of_deleted, record_filter};
use crate::{CompanyId, Error, UserId, filter};

filter! {
    /// Filters of the company list; what is absent matches all.
    pub struct CompanyFilter {
        /// Word prefixes in name, domain or a comment; all must match.
        search: Option<SearchQuery>,
        /// With this host name; case-insensitive.
        domain: Option<HostName>,
        /// Assigned to any of these members.
        assignee: Several<UserId, 50>,
        /// With this id in another system.
        external_id: Option<Line<255>>,
        /// true: only those deleted in the last 30 days; needs permission to delete.
        deleted: Option<bool>,
        /// Created at this time or later.
        /// Contract: additional.
        created_since: Option<OffsetDateTime>,
        /// Created before this time.
        /// Contract: additional.
        created_before: Option<OffsetDateTime>,
        /// Changed at this time or later.
        updated_since: Option<OffsetDateTime>,
        /// `newest` (default) or `updated`: oldest change first, with a nextCursor on every page.
        order: Option<RecordOrder>,
    }
    only in queries {
        /// With any of these ids.
        /// Contract: additional.
        ids: Several<CompanyId, MAX_IDS>,
    }
    together CompanyFilter::check_together;
}

times_of_creation!(CompanyFilter);

impl CompanyFilter {
    /// Whether no company can match, which avoids a query.
    pub fn matches_nothing(&self) -> bool {
        self.search.as_ref().is_some_and(SearchQuery::matches_nothing)
    }

    fn check_together(&self, problems: &mut Problems) {
        note_order_of_deleted(self.deleted, self.sorted_by(), problems);
        self.created().check_range(problems);
    }

    /// Includes comments in the search: a caller who may read a record may read its comments.
    fn with_comments(mut self) -> Self {
        self.search = self.search.map(|words| words.in_comments(true));
        self
    }

    /// What the list is sorted by.
    pub fn sorted_by(&self) -> ListOrder {
        RecordOrder::sorted_by(self.order)
    }
}

impl Sorted for Company {
    fn sort_key(&self, by: Sort) -> SortKey {
        match by {
            Sort::Created => SortKey::Time(self.created_at),
            Sort::Changed => SortKey::Time(self.updated_at),
            Sort::Name => SortKey::Name(NameKey::of(&self.name)),
            Sort::Value | Sort::Day | Sort::Due | Sort::Priority | Sort::Turn => SortKey::Nothing,
        }
    }
}

record_filter!(CompanyFilter, Company, words in search, beside [updated_since, order, deleted]);

/// A page of companies in the order of the filter.
///
/// # Errors
/// [`Error::Malformed`] for a cursor of another order.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadCompanies>,
    filter: CompanyFilter,
    page: PageRequest,
) -> Result<Page<Company>, Error> {
    records::list(ports, permit, filter.with_comments(), page).await
}

/// A page of companies: as [`list`], or of those that are deleted if the filter says so.
///
/// # Errors
/// Those of [`list`]; [`Error::RoleNeeded`] and [`Error::GrantNeeded`] for who may not see deleted ones.
pub async fn list_or_deleted(
    ports: &Ports,
    permit: &Permit<ReadCompanies>,
    filter: CompanyFilter,
    page: PageRequest,
) -> Result<Page<Listed<Company>>, Error> {
    records::list_or_deleted(ports, permit, filter.with_comments(), page).await
}

/// How many companies match a filter.
///
/// # Errors
/// Those of the store.
pub async fn totals(ports: &Ports, permit: &Permit<ReadCompanies>, filter: CompanyFilter) -> Result<ListTotals, Error> {
    records::totals(ports, permit, filter.with_comments()).await
}
