//! `/api/settings/audit-log`.

use domain::identity::access::ReadAuditLog;
use domain::identity::audit::{self, AuditEntry, AuditFilter};
use http_core::operation;
use http_core::query::Filtered;

operation! {
    /// List the entries of the audit log.
    List = "GET /api/settings/audit-log", access: ReadAuditLog, query: Filtered<AuditFilter, AuditEntry>
    => list(audit::list(filter, page)) -> AuditEntry
}
