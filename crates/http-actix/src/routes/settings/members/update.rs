//! `PATCH /api/settings/members/{member_id}`.

use actix_web::HttpResponse;
use domain::UserId;
use domain::identity::access::ManageMembers;
use domain::identity::members::{self, RoleFields};
use domain::kernel::versions::ExpectedVersion;
use http_core::body::Patch;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

pub(crate) struct Update;

impl Endpoint for Update {
    const ROUTE: &'static str = "PATCH /api/settings/members/{member_id}";
    type Access = ManageMembers;
    type Path = UserId;
    type Query = ();
    type Headers = ExpectedVersion;
    type Body = Patch<RoleFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let member = members::change_role(&call.ports, &call.permit, call.path, call.headers, call.body.0).await?;
        Ok(reply::changed(&member, member.version))
    }
}
