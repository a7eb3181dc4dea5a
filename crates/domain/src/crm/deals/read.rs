//! Reading one deal.

use super::Deal;
use crate::identity::access::{Permit, ReadDeals};
use crate::ports::{Ports, statement};
use crate::{DealId, Error};

/// One deal of the caller's workspace.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ReadDeals>, id: DealId) -> Result<Deal, Error> {
    statement(ports, permit, move |tx| tx.deals().get(id)?.ok_or(Error::NotFound("deal"))).await
}
