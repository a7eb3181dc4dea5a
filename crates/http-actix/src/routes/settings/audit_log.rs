//! `GET /api/settings/audit-log`.

use actix_web::HttpResponse;
use domain::identity::access::ReadAuditLog;
use domain::identity::audit::{self, AuditEntry};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::query::Paged;
use http_core::reply;

pub(crate) struct ListAuditLog;

impl Endpoint for ListAuditLog {
    const ROUTE: &'static str = "GET /api/settings/audit-log";
    type Access = ReadAuditLog;
    type Path = ();
    type Query = Paged<AuditEntry>;
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let page = audit::list(&call.ports, &call.permit, call.query.page).await?;
        Ok(reply::list(&page))
    }
}
