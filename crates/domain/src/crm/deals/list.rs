//! Listing and searching deals.

use super::{Deal, DealStage, DealStatus};
use crate::identity::access::{Permit, ReadDeals};
use crate::kernel::input::{Currency, Line, MAX_TAGS, Number, Problems, Several, Tag, choices, readable_choices};
use crate::kernel::paging::{Page, PageRequest, Position};
use crate::kernel::search::SearchQuery;
use crate::ports::{Ports, Weight, weighed_statement};
use crate::records::{self, Listed};
use crate::{CompanyId, ContactId, Error, UserId, filter};

choices! {
    /// The order of a list of deals.
    pub enum DealOrder {
        /// The newest first.
        Newest = "newest",
        /// The highest value first, then the newest id; deals without a value last.
        Value = "value",
    }
}

readable_choices!(DealOrder);

filter! {
    /// Filters of the deal list, and its order; what is absent matches all.
    pub struct DealFilter {
        /// Word prefixes in title and description; all must match.
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
        /// Minimum value, in whichever currency.
        value_min: Option<Number>,
        /// Maximum value, in whichever currency.
        value_max: Option<Number>,
        /// In any of these currencies.
        currency: Several<Currency, 10>,
        /// With this id in another system.
        external_id: Option<Line<255>>,
        /// With any of these tags; case does not matter.
        tag: Several<Tag, MAX_TAGS>,
        /// true: those that were deleted within the last 30 days, and no others. For those who may delete them.
        deleted: Option<bool>,
        /// The order: `newest` (default), or `value`: the highest first.
        order: Option<DealOrder>,
    }
    together DealFilter::check_range;
}

impl DealFilter {
    fn check_range(&self, problems: &mut Problems) {
        if let (Some(min), Some(max)) = (self.value_min, self.value_max)
            && min.0 > max.0
        {
            problems.rule("value_max", "invalid_value", "must not be less than value_min");
        }
        if self.deleted == Some(true) && self.is_by_value() {
            problems.rule(
                "order",
                "invalid_value",
                "deleted deals are listed newest first: leave order or deleted out",
            );
        }
    }

    /// Whether no deal can match, which avoids a query.
    pub fn matches_nothing(&self) -> bool {
        self.search.as_ref().is_some_and(SearchQuery::matches_nothing)
    }

    /// Whether the list is ordered by value.
    pub fn is_by_value(&self) -> bool {
        self.order == Some(DealOrder::Value)
    }

    /// Whether it looks for words or tags.
    pub(super) fn looks_up_words(&self) -> bool {
        self.search.is_some() || !self.tag.0.is_empty()
    }

    /// A cursor continues the order in which its page was read.
    fn check_cursor(&self, page: &PageRequest) -> Result<(), Error> {
        let fits = match page.position {
            Position::Page(_) => true,
            Position::After(..) => !self.is_by_value(),
            Position::AfterValue(..) => self.is_by_value(),
        };
        let problem =
            || Error::malformed("cursor", "invalid_value", "must be a nextCursor of this list in the same order");
        if fits { Ok(()) } else { Err(problem()) }
    }
}

/// A page of deals, newest first or by value.
///
/// # Errors
/// [`Error::Malformed`] for a cursor of the other order.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadDeals>,
    filter: DealFilter,
    page: PageRequest,
) -> Result<Page<Deal>, Error> {
    filter.check_cursor(&page)?;
    let by_value = filter.is_by_value();
    let show = |rows| {
        if by_value { Page::by_value(rows, &page, |deal: &Deal| deal.value) } else { Page::from_rows(rows, &page) }
    };
    if filter.matches_nothing() {
        return Ok(show(Vec::new()));
    }
    let weight = match Weight::of_list(&page, filter.looks_up_words()) {
        // What else is filtered by may leave few of the first.
        Weight::Light if by_value => Weight::Heavy,
        weight => weight,
    };
    let rows = weighed_statement(ports, permit, weight, move |tx| Ok(tx.deals().list(&filter, &page)?)).await?;
    Ok(show(rows))
}

/// A page of deals: as [`list`], or of those that are deleted if the filter says so.
///
/// # Errors
/// Those of [`list`]; [`Error::RoleNeeded`] and [`Error::GrantNeeded`] for who may not see deleted ones.
pub async fn list_or_deleted(
    ports: &Ports,
    permit: &Permit<ReadDeals>,
    filter: DealFilter,
    page: PageRequest,
) -> Result<Page<Listed<Deal>>, Error> {
    if filter.deleted != Some(true) {
        return Ok(list(ports, permit, filter, page).await?.map(Listed::from));
    }
    filter.check_cursor(&page)?;
    records::list_deleted(ports, permit, filter, page).await
}
