//! Listing and searching companies.

use super::Company;
use crate::Error;
use crate::filter;
use crate::identity::access::{Permit, ReadCompanies};
use crate::kernel::paging::{Page, PageRequest};
use crate::kernel::search::SearchQuery;
use crate::ports::{Ports, Weight, weighed_statement};

filter! {
    /// Filters of the company list; what is absent matches all.
    pub struct CompanyFilter {
        /// Word prefixes in name and domain; all must match.
        search: Option<SearchQuery>,
    }
}

impl CompanyFilter {
    /// Whether no company can match, which avoids a query.
    pub fn matches_nothing(&self) -> bool {
        self.search.as_ref().is_some_and(SearchQuery::matches_nothing)
    }
}

/// A page of companies, newest first.
///
/// # Errors
/// Those of the store.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadCompanies>,
    filter: CompanyFilter,
    page: PageRequest,
) -> Result<Page<Company>, Error> {
    if filter.matches_nothing() {
        return Ok(Page::from_rows(Vec::new(), &page));
    }
    let weight = Weight::of_page(&page, filter.search.as_ref());
    let rows = weighed_statement(ports, permit, weight, move |tx| Ok(tx.companies().list(&filter, &page)?)).await?;
    Ok(Page::from_rows(rows, &page))
}
