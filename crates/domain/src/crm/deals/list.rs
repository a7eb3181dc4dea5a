//! Listing deals.

use rust_decimal::Decimal;

use super::{Deal, DealStage, DealStatus};
use crate::identity::access::{Permit, ReadDeals};
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, Weight, weighed_statement};
use crate::{CompanyId, ContactId, Error, UserId};

/// Maximum number of assignees in one filter.
pub const MAX_ASSIGNEES: usize = 50;

/// Filters of the deal list; empty means all.
#[derive(Debug, Clone, Default)]
pub struct DealFilter {
    pub statuses: Vec<DealStatus>,
    pub stages: Vec<DealStage>,
    pub assignees: Vec<UserId>,
    pub contact_id: Option<ContactId>,
    pub company_id: Option<CompanyId>,
    /// Inclusive.
    pub value_min: Option<Decimal>,
    /// Inclusive.
    pub value_max: Option<Decimal>,
}

/// A page of deals, newest first.
///
/// # Errors
/// Those of the store.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadDeals>,
    filter: DealFilter,
    page: PageRequest,
) -> Result<Page<Deal>, Error> {
    let weight = Weight::of_page(&page, None);
    let rows = weighed_statement(ports, permit, weight, move |tx| Ok(tx.deals().list(&filter, &page)?)).await?;
    Ok(Page::from_rows(rows, &page))
}
