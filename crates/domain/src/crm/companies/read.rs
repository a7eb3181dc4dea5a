//! Reading one company.

use super::Company;
use crate::identity::access::{Permit, ReadCompanies};
use crate::ports::Ports;
use crate::records;
use crate::{CompanyId, Error};

/// One company of the caller's workspace.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ReadCompanies>, id: CompanyId) -> Result<Company, Error> {
    records::read(ports, permit, id).await
}
