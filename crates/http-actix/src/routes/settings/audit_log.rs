//! `/api/settings/audit-log`.

use domain::identity::access::ReadAuditLog;
use domain::identity::audit::{self, AuditEntry};
use http_core::operation;
use http_core::query::Paged;

operation! {
    List = "GET /api/settings/audit-log", access: ReadAuditLog, query: Paged<AuditEntry>
    => list(audit::list(page))
}
