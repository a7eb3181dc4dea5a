//! Deleting a company.

use super::Company;
use crate::identity::access::{DeleteCompanies, Permit};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::Ports;
use crate::records;
use crate::{CompanyId, Error};

/// Deletes a company softly.
///
/// # Errors
/// [`Error::NotFound`], also for a company that is already deleted; [`Error::ConcurrentUpdate`].
pub async fn delete(
    ports: &Ports,
    permit: &Permit<DeleteCompanies>,
    id: CompanyId,
    expected: ExpectedVersion,
) -> Result<(), Error> {
    records::delete::<_, Company>(ports, permit, id, expected).await
}
