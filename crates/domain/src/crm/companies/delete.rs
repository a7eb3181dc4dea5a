//! Deleting a company.

use super::Company;
use crate::identity::access::{DeleteCompanies, Permit};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, transact};
use crate::webhooks::EventBuilder;
use crate::{CompanyId, Error};

/// Deletes a company softly.
///
/// # Errors
/// [`Error::NotFound`], also for a company deleted before; [`Error::ConcurrentUpdate`].
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteCompanies>,
    id: CompanyId,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    let now = ports.clock.now();
    let reporter = EventBuilder::new(&permit.principal(), now);
    transact(ports, permit, move |tx| {
        let stored = tx.companies().get_for_update(id)?.ok_or(Error::NotFound("company"))?;
        expected.check(stored.version)?;
        tx.companies().delete(id, now)?;
        // The last version of all: what came before it is told apart.
        let gone = Company { version: stored.version + 1, updated_at: now, ..stored };
        tx.emit(&[reporter.happened(&gone, "deleted")]);
        Ok(())
    })
    .await
}
