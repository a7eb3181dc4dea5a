//! `POST /api/settings/members`.

use actix_web::HttpResponse;
use domain::identity::access::ManageMembers;
use domain::identity::members::{self, InvitationFields, MemberView};
use domain::kernel::idempotency::StoredResponse;
use domain::limits::Class;
use http_core::endpoint::{Action, Endpoint};
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, responses};

pub(crate) struct Invite;

impl Endpoint for Invite {
    const ROUTE: &'static str = "POST /api/settings/members";
    const CLASS: Class = Class::Critical;
    const COUNTS_BY_ADDRESS: bool = true;
    type Access = ManageMembers;
    type Path = ();
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<InvitationFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let once = call.once();
        let outcome = members::invite(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(responses::idempotent::<Self>(outcome))
    }
}

impl Action for Invite {
    type Output = MemberView;

    fn response(member: &MemberView) -> StoredResponse {
        responses::created(member, format!("/api/settings/members/{}", member.id))
    }
}
