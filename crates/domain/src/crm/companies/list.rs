//! Lists and searches companies.

use time::OffsetDateTime;

use super::Company;
use crate::kernel::input::{HostName, Line, MAX_IDS, Several};
use crate::kernel::paging::{NameKey, Sort, SortKey, Sorted};
use crate::kernel::search::SearchQuery;
use crate::records::{RecordFilter, RecordOrder, record_filter};
use crate::{CompanyId, UserId, filter};

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

record_filter!(CompanyFilter, words in search, comments: true, changed: updated_since);

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
