//! Lists and searches contacts.

use time::OffsetDateTime;

use super::{Contact, ContactStatus, ContactType};
use crate::identity::access::{ManageWorkspace, Permit};
use crate::kernel::input::{EmailKey, Line, MAX_IDS, MAX_TAGS, Several, Tag};
use crate::kernel::paging::{NameKey, Sort, SortKey, Sorted};
use crate::kernel::search::SearchQuery;
use crate::ports::{Ports, Weight, weighed_read_only};
use crate::records::{RecordFilter, RecordOrder, record_filter};
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

record_filter!(ContactFilter, words in search or tag, comments: true, changed: updated_since);

impl Contact {
    /// First and last name; empty if the contact has neither.
    pub(crate) fn full_name(&self) -> String {
        [&self.first_name, &self.last_name].into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// The name as pages show it. A contact without a name has its address instead.
    pub(super) fn name_or_email(&self) -> String {
        Some(self.full_name()).filter(|name| !name.is_empty()).unwrap_or_else(|| self.email.clone())
    }
}

impl Sorted for Contact {
    fn sort_key(&self, by: Sort) -> SortKey {
        match by {
            Sort::Created => SortKey::Time(self.created_at),
            Sort::Changed => SortKey::Time(self.updated_at),
            Sort::Name => SortKey::Name(NameKey::of(&self.name_or_email())),
            Sort::Value | Sort::Day | Sort::Due | Sort::Priority | Sort::Turn => SortKey::Nothing,
        }
    }
}

/// The maximum number of listed contacts.
pub const MAX_SHARED_LISTED: u32 = 100;

/// Contacts with the same address as an older contact in a different spelling, which an earlier release accepted, ordered by
/// address. New tickets, upserts and imports use the older contact. The number cannot grow, because all spellings of an address now
/// count as the same.
pub async fn list_with_shared_address(ports: &Ports, permit: &Permit<ManageWorkspace>) -> Result<Vec<Contact>, Error> {
    weighed_read_only(ports, permit, Weight::Heavy, move |tx| {
        Ok(tx.contacts().with_shared_address(MAX_SHARED_LISTED)?)
    })
    .await
}
