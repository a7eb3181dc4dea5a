//! Reading one company.

use super::Company;
use crate::identity::access::{Permit, ReadCompanies};
use crate::ports::{Ports, statement};
use crate::{CompanyId, Error};

/// One company of the caller's workspace.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ReadCompanies>, id: CompanyId) -> Result<Company, Error> {
    statement(ports, permit, move |tx| tx.companies().get(id)?.ok_or(Error::NotFound("company"))).await
}
