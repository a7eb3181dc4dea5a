//! `DELETE /api/settings/members/{member_id}`.

use actix_web::HttpResponse;
use domain::access::ManageMembers;
use domain::versions::ExpectedVersion;
use domain::{UserId, members};
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

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
