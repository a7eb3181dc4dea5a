//! Deleting a company.

use super::Company;
use crate::identity::access::{DeleteCompanies, Permit};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::Ports;
use crate::records::{self, DeletedRecord};
use crate::{CompanyId, Error, Reference};

/// Deletes a company softly, and says how many records still refer to it.
///
/// # Errors
/// [`Error::NotFound`], also for a company that is already deleted; [`Error::ConcurrentUpdate`].
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteCompanies>,
    id: CompanyId,
    expected: ExpectedVersion,
) -> Result<DeletedRecord, Error> {
    records::delete_referred::<_, Company>(ports, permit, (id, Reference::Company(id)), expected).await
}
