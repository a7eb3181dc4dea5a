//! Reading the audit log.

use time::OffsetDateTime;
use uuid::Uuid;

use super::{AuditAction, AuditEntry};
use crate::identity::access::{Permit, ReadAuditLog};
use crate::kernel::input::Several;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, read_only};
use crate::{Error, filter};

filter! {
    /// Filters of the audit log; what is absent matches all.
    pub struct AuditFilter {
        /// Any of these actions.
        action: Several<AuditAction, 50>,
        /// By this member or API key, given as an id.
        actor_id: Option<Uuid>,
        /// At this time or later.
        since: Option<OffsetDateTime>,
        /// Before this time.
        until: Option<OffsetDateTime>,
    }
}

/// Lists the audit entries that match, newest first.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadAuditLog>,
    filter: AuditFilter,
    page: PageRequest,
) -> Result<Page<AuditEntry>, Error> {
    let rows = read_only(ports, permit, move |tx| Ok(tx.audit().list(&filter, &page)?)).await?;
    Ok(Page::from_rows(rows, &page))
}
