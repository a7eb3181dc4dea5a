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

impl AuditFilter {
    /// Whether the entry matches.
    pub fn matches(&self, entry: &AuditEntry) -> bool {
        self.action.accepts(&entry.action)
            && self.actor_id.is_none_or(|actor| entry.actor.actor.id == Some(actor))
            && self.since.is_none_or(|since| entry.created_at >= since)
            && self.until.is_none_or(|until| entry.created_at < until)
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
