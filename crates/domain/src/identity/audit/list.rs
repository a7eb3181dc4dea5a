//! Reading the audit log.

use super::AuditEntry;
use crate::Error;
use crate::identity::access::{Permit, ReadAuditLog};
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, statement};

/// Lists audit entries, newest first.
///
/// # Errors
/// Store errors.
pub async fn list(ports: &Ports, permit: &Permit<ReadAuditLog>, page: PageRequest) -> Result<Page<AuditEntry>, Error> {
    let rows = statement(ports, permit, move |tx| Ok(tx.audit().list(&page)?)).await?;
    Ok(Page::from_rows(rows, &page))
}
