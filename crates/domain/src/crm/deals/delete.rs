//! Deleting a deal.

use super::Deal;
use crate::identity::access::{DeleteDeals, Permit};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, transact};
use crate::webhooks::EventBuilder;
use crate::{DealId, Error};

/// Deletes a deal softly.
///
/// # Errors
/// [`Error::NotFound`], also for a deal deleted before; [`Error::ConcurrentUpdate`].
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteDeals>,
    id: DealId,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    let now = ports.clock.now();
    let reporter = EventBuilder::new(&permit.principal(), now);
    transact(ports, permit, move |tx| {
        let stored = tx.deals().get_for_update(id)?.ok_or(Error::NotFound("deal"))?;
        expected.check(stored.version)?;
        tx.deals().delete(id, now)?;
        // The last version of all: what came before it is told apart.
        let gone = Deal { version: stored.version + 1, updated_at: now, ..stored };
        tx.emit(&[reporter.happened(&gone, "deleted")]);
        Ok(())
    })
    .await
}
