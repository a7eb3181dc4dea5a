//! Listing and searching contacts.

use time::OffsetDateTime;

use super::{Contact, ContactStatus, ContactType};
use crate::identity::access::{Permit, ReadContacts};
use crate::kernel::input::{EmailKey, Line, MAX_IDS, MAX_TAGS, Problems, Several, Tag, times_of_creation};
use crate::kernel::paging::{ListOrder, NameKey, Page, PageRequest, Sort, SortKey, Sorted};
use crate::kernel::search::SearchQuery;
use crate::kernel::totals::ListTotals;
use crate::ports::Ports;
use crate::records::{self, Listed, RecordOrder, note_order_of_deleted, record_filter};
use crate::{CompanyId, ContactId, Error, UserId, filter};

filter! {
    /// Filters of the contact list; what is absent matches all.
    pub struct ContactFilter {
        /// Word prefixes in name, e-mail, company name, phone, job title or a comment; all must match.
        search: Option<SearchQuery>,
        /// In any of these statuses.
        status: Several<ContactStatus, 4>,
        /// In any of these relationships.
        /// Contract: additional.
        contact_type: Several<ContactType, 9>,
        /// Assigned to any of these members.
        /// Contract: additional.
        assignee: Several<UserId, 50>,
        /// With this address, in any spelling.
        /// Contract: additional.
        email: Option<EmailKey>,
        /// With this id in another system.
        /// Contract: additional.
        external_id: Option<Line<255>>,
        /// With any of these tags; case-insensitive.
        /// Contract: additional.
        tag: Several<Tag, MAX_TAGS>,
        /// Of this company.
        /// Contract: additional.
        company_id: Option<CompanyId>,
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
        /// `newest` (default) or `updated`: oldest change first, with a nextCursor on every page.
        /// Contract: additional.
        order: Option<RecordOrder>,
    }
    only in queries {
        /// With any of these ids.
        /// Contract: additional.
        ids: Several<ContactId, MAX_IDS>,
    }
    together ContactFilter::check_together;
}

times_of_creation!(ContactFilter);

impl ContactFilter {
    /// Whether no contact can match, which avoids a query.
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

impl Contact {
    /// The name as pages show it, or the address of a contact without one.
    fn shown_name(&self) -> String {
        let parts: Vec<_> = [&self.first_name, &self.last_name].into_iter().flatten().map(String::as_str).collect();
        if parts.is_empty() { self.email.clone() } else { parts.join(" ") }
    }
}

impl Sorted for Contact {
    fn sort_key(&self, by: Sort) -> SortKey {
        match by {
            Sort::Created => SortKey::Time(self.created_at),
            Sort::Changed => SortKey::Time(self.updated_at),
            Sort::Name => SortKey::Name(NameKey::of(&self.shown_name())),
            Sort::Value | Sort::Day | Sort::Due | Sort::Priority | Sort::Turn => SortKey::Nothing,
        }
    }
}

record_filter!(ContactFilter, Contact, words in search or tag, beside [updated_since, order, deleted]);

/// A page of contacts in the order of the filter.
///
/// # Errors
/// [`Error::Malformed`] for a cursor of another order.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadContacts>,
    filter: ContactFilter,
    page: PageRequest,
) -> Result<Page<Contact>, Error> {
    records::list(ports, permit, filter.with_comments(), page).await
}

/// A page of contacts: as [`list`], or of those that are deleted if the filter says so.
///
/// # Errors
/// Those of [`list`]; [`Error::RoleNeeded`] and [`Error::GrantNeeded`] for who may not see deleted ones.
pub async fn list_or_deleted(
    ports: &Ports,
    permit: &Permit<ReadContacts>,
    filter: ContactFilter,
    page: PageRequest,
) -> Result<Page<Listed<Contact>>, Error> {
    records::list_or_deleted(ports, permit, filter.with_comments(), page).await
}

/// How many contacts match a filter.
///
/// # Errors
/// Those of the store.
pub async fn totals(ports: &Ports, permit: &Permit<ReadContacts>, filter: ContactFilter) -> Result<ListTotals, Error> {
    records::totals(ports, permit, filter.with_comments()).await
}
