//! Deleting a deal.

use super::Deal;
use crate::identity::access::{DeleteDeals, Permit};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::Ports;
use crate::records;
use crate::{DealId, Error};

/// Deletes a deal softly.
///
/// # Errors
/// [`Error::NotFound`], also for a deal that is already deleted; [`Error::ConcurrentUpdate`].
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteDeals>,
    id: DealId,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    records::delete::<_, Deal>(ports, permit, id, expected).await
}
