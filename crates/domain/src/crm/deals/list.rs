//! Listing deals.

use rust_decimal::Decimal;

use super::{Deal, DealStage, DealStatus};
use crate::identity::access::{Permit, ReadDeals};
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, statement};
use crate::{CompanyId, ContactId, Error, UserId};

/// The most assignees that one list can be filtered by.
pub const MAX_ASSIGNEES: usize = 50;

/// Which deals; empty means all.
#[derive(Debug, Clone, Default)]
pub struct DealFilter {
    /// Any of these statuses.
    pub statuses: Vec<DealStatus>,
    /// Any of these stages.
    pub stages: Vec<DealStage>,
    /// Any of these members.
    pub assignees: Vec<UserId>,
    /// Of this contact.
    pub contact_id: Option<ContactId>,
    /// Of this company.
    pub company_id: Option<CompanyId>,
    /// Worth at least this.
    pub value_min: Option<Decimal>,
    /// Worth at most this.
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
    let rows = statement(ports, permit, move |tx| Ok(tx.deals().list(&filter, &page)?)).await?;
    Ok(Page::from_rows(rows, &page))
}
