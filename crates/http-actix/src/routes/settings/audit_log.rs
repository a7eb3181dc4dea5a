//! `GET /api/settings/audit-log`.

use actix_web::HttpResponse;
use domain::identity::access::ReadAuditLog;
use domain::identity::audit::{self, AuditEntry};
use http_core::endpoint::Endpoint;
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::query::Paged;
use http_core::responses;

pub(crate) struct ListAuditLog;

impl Endpoint for ListAuditLog {
    const ROUTE: &'static str = "GET /api/settings/audit-log";
    type Access = ReadAuditLog;
    type Path = ();
    type Query = Paged<AuditEntry>;
    type Headers = ();
    type Body = ();

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let page = audit::list(&call.ports, &call.permit, call.query.page).await?;
        Ok(responses::list(&page))
    }
}
