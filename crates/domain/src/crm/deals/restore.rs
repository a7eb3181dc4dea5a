//! Restoring a deal.

use super::Deal;
use crate::identity::access::{DeleteDeals, Permit};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::ports::Ports;
use crate::records;
use crate::{DealId, Error};

/// Restores a deal that was deleted within the last 30 days.
///
/// # Errors
/// [`Error::NotFound`], [`Error::InvalidStateChange`], [`Error::Duplicate`] of `external_id`.
pub async fn restore(
    ports: &Ports,
    permit: &Permit<DeleteDeals>,
    once: Option<IdempotentRequest<Deal>>,
    id: DealId,
) -> Result<IdempotentResult<Deal>, Error> {
    records::restore(ports, permit, once, id.0).await
}
