//! `POST /api/settings/members`.

use actix_web::HttpResponse;
use domain::identity::access::ManageMembers;
use domain::identity::members::{self, InvitationFields, ShownMember};
use domain::kernel::idempotency::Answer;
use domain::limits::Class;
use http_core::endpoint::{Action, Call, Endpoint};
use http_core::errors::Failure;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, reply};

pub(crate) struct Invite;

impl Endpoint for Invite {
    const ROUTE: &'static str = "POST /api/settings/members";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Critical).by_address();
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
