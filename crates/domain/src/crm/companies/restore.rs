//! Restoring a company.

use super::Company;
use crate::identity::access::{DeleteCompanies, Permit};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::Ports;
use crate::records;
use crate::{CompanyId, Error};

/// Restores a company that was deleted within the last 30 days.
///
/// # Errors
/// [`Error::NotFound`], [`Error::InvalidStateChange`], [`Error::Duplicate`] of `domain` or `external_id`.
pub async fn restore(
    ports: &Ports,
    permit: &Permit<DeleteCompanies>,
    once: Option<IdempotentRequest<Company>>,
    id: CompanyId,
) -> Result<IdempotentResult<Company>, Error> {
    records::restore(ports, permit, once, id.0).await
}
