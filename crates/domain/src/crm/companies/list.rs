//! Listing and searching companies.

use super::Company;
use crate::Error;
use crate::filter;
use crate::identity::access::{Permit, ReadCompanies};
use crate::kernel::input::{HostName, Line};
use crate::kernel::paging::{Page, PageRequest};
use crate::kernel::search::SearchQuery;
use crate::ports::{Ports, Weight, weighed_statement};
use crate::records::{self, Listed};

filter! {
    /// Filters of the company list; what is absent matches all.
    pub struct CompanyFilter {
        /// Word prefixes in name and domain; all must match.
        search: Option<SearchQuery>,
        /// With this host name; case does not matter.
        domain: Option<HostName>,
        /// With this id in another system.
        external_id: Option<Line<255>>,
        /// true: those that were deleted within the last 30 days, and no others. For those who may delete them.
        deleted: Option<bool>,
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
    let weight = Weight::of_list(&page, filter.search.is_some());
    let rows = weighed_statement(ports, permit, weight, move |tx| Ok(tx.companies().list(&filter, &page)?)).await?;
    Ok(Page::from_rows(rows, &page))
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
    if filter.deleted != Some(true) {
        return Ok(list(ports, permit, filter, page).await?.map(Listed::from));
    }
    records::list_deleted(ports, permit, filter, page).await
}
