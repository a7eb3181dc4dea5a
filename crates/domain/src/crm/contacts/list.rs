//! Listing and searching contacts.

use super::{Contact, ContactStatus};
use crate::Error;
use crate::identity::access::{Permit, ReadContacts};
use crate::kernel::paging::{Page, PageRequest};
use crate::kernel::search::SearchQuery;
use crate::ports::{Ports, Weight, weighed_statement};

/// Filters of the contact list; empty means all.
#[derive(Debug, Clone, Default)]
pub struct ContactFilter {
    pub statuses: Vec<ContactStatus>,
    pub search: Option<SearchQuery>,
}

impl ContactFilter {
    /// Whether no contact can match, which avoids a query.
    pub fn matches_nothing(&self) -> bool {
        self.search.as_ref().is_some_and(SearchQuery::matches_nothing)
    }
}

/// A page of contacts, newest first.
///
/// # Errors
/// Those of the store.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadContacts>,
    filter: ContactFilter,
    page: PageRequest,
) -> Result<Page<Contact>, Error> {
    if filter.matches_nothing() {
        return Ok(Page::from_rows(Vec::new(), &page));
    }
    let weight = Weight::of_page(&page, filter.search.as_ref());
    let rows = weighed_statement(ports, permit, weight, move |tx| Ok(tx.contacts().list(&filter, &page)?)).await?;
    Ok(Page::from_rows(rows, &page))
}
