//! Lists and searches deals.

use time::{Date, OffsetDateTime};

use super::{Deal, DealStage, DealStatus};
use crate::kernel::input::{Currency, Line, MAX_IDS, MAX_TAGS, Number, Problems, Several, Tag, note_range};
use crate::kernel::paging::{Direction, ListOrder, Sort, SortKey, Sorted};
use crate::kernel::search::SearchQuery;
use crate::records::{RecordFilter, list_orders, record_filter};
use crate::{CompanyId, ContactId, DealId, UserId, filter};

list_orders! {
    /// The order of a list of deals.
    pub enum DealOrder {
        Newest = "newest": ListOrder::Created,
        /// The highest value first, then the newest id; deals without a value last.
        Value = "value": ListOrder::Value,
        Updated = "updated": ListOrder::Changed,
        Oldest = "oldest": ListOrder::By(Sort::Created, Direction::Up),
        UpdatedDown = "updated_desc": ListOrder::By(Sort::Changed, Direction::Down),
        /// The lowest value first; deals without a value last.
        ValueUp = "value_asc": ListOrder::By(Sort::Value, Direction::Up),
        /// The first expected to close; deals without a day last.
        CloseUp = "expected_close_asc": ListOrder::By(Sort::Day, Direction::Up),
        /// The last expected to close; deals without a day last.
        CloseDown = "expected_close_desc": ListOrder::By(Sort::Day, Direction::Down),
    }
}

filter! {
    /// Filters of the deal list, and its order; what is absent matches all.
    pub struct DealFilter {
        /// Word prefixes in title, description or a comment; all must match.
        /// Contract: additional.
        search: Option<SearchQuery>,
        /// In any of these statuses.
        status: Several<DealStatus, 4>,
        /// In any of these stages.
        stage: Several<DealStage, 6>,
        /// Assigned to any of these members.
        assignee: Several<UserId, 50>,
        /// Of this contact.
        contact_id: Option<ContactId>,
        /// Of this company.
        company_id: Option<CompanyId>,
        /// Minimum value, in any currency.
        value_min: Option<Number>,
        /// Maximum value, in any currency.
        value_max: Option<Number>,
        /// Closed, won or lost, on this day or later.
        /// Contract: additional.
        closed_since: Option<Date>,
        /// Closed, won or lost, before this day.
        /// Contract: additional.
        closed_before: Option<Date>,
        /// Expected to close on this day or later.
        /// Contract: additional.
        expected_close_since: Option<Date>,
        /// Expected to close before this day.
        /// Contract: additional.
        expected_close_before: Option<Date>,
        /// In any of these currencies.
        /// Contract: additional.
        currency: Several<Currency, 10>,
        /// With this id in another system.
        /// Contract: additional.
        external_id: Option<Line<255>>,
        /// With any of these tags; case-insensitive.
        /// Contract: additional.
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
        /// Changed at this time or later.
        /// Contract: additional.
        updated_since: Option<OffsetDateTime>,
        /// `newest` (default), `value`: highest first, or `updated`: oldest change first, with a nextCursor on every page.
        /// Contract: additional.
        order: Option<DealOrder>,
    }
    only in queries {
        /// With any of these ids.
        /// Contract: additional.
        ids: Several<DealId, MAX_IDS>,
    }
    together DealFilter::check_range;
}

record_filter!(DealFilter, words in search or tag, comments: true, changed: updated_since);

impl DealFilter {
    fn check_range(&self, problems: &mut Problems) {
        note_range((self.closed_since, "closed_since"), (self.closed_before, "closed_before"), problems);
        note_range(
            (self.expected_close_since, "expected_close_since"),
            (self.expected_close_before, "expected_close_before"),
            problems,
        );
        self.check_together(problems);
    }
}

impl Sorted for Deal {
    fn sort_key(&self, by: Sort) -> SortKey {
        match by {
            Sort::Created => SortKey::Time(self.created_at),
            Sort::Changed => SortKey::Time(self.updated_at),
            Sort::Value => self.value.map_or(SortKey::Nothing, SortKey::Amount),
            Sort::Day => self.expected_close_date.map_or(SortKey::Nothing, SortKey::Day),
            Sort::Name | Sort::Due | Sort::Priority | Sort::Turn => SortKey::Nothing,
        }
    }
}
