//! `DELETE /api/settings/members/{member_id}`.

use actix_web::HttpResponse;
use domain::UserId;
use domain::identity::access::ManageMembers;
use domain::identity::members;
use domain::kernel::versions::ExpectedVersion;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

pub(crate) struct Remove;

impl Endpoint for Remove {
    const ROUTE: &'static str = "DELETE /api/settings/members/{member_id}";
    type Access = ManageMembers;
    type Path = UserId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        members::remove(&call.ports, &call.permit, call.path, call.headers).await?;
        Ok(reply::deleted(call.path))
    }
}
