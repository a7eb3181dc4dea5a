//! Reading one deal.

use super::Deal;
use crate::identity::access::{Permit, ReadDeals};
use crate::ports::Ports;
use crate::records;
use crate::{DealId, Error};

/// One deal of the caller's workspace.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ReadDeals>, id: DealId) -> Result<Deal, Error> {
    records::read(ports, permit, id).await
}
