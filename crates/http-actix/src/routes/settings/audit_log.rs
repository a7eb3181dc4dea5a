//! `GET /api/settings/audit-log`.

use actix_web::HttpResponse;
use domain::access::ReadAuditLog;
use domain::audit::{self, AuditEntry};
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::query::Paged;
use http_frame::reply;

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
