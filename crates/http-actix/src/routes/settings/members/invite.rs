//! `POST /api/settings/members`.

use actix_web::HttpResponse;
use domain::access::ManageMembers;
use domain::idempotency::Answer;
use domain::limits::Class;
use domain::members::{self, InvitationFields, ShownMember};
use http_frame::body;
use http_frame::call::Call;
use http_frame::endpoint::{Action, Endpoint};
use http_frame::errors::Failure;
use http_frame::idempotency::IdempotencyKey;
use http_frame::reply;

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

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let once = call.once();
        let outcome = members::invite(&call.ports, &call.permit, once, call.body.0).await?;
        Ok(reply::outcome::<Self>(outcome))
    }
}

impl Action for Invite {
    type Made = ShownMember;

    fn answer(member: &ShownMember) -> Answer {
        reply::created(member, format!("/api/settings/members/{}", member.id))
    }
}
