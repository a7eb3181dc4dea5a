//! `/api/settings/members`.

use domain::UserId;
use domain::identity::access::ManageMembers;
use domain::identity::members::{self, InvitationFields, MemberRecord, MemberView, RoleFields};
use domain::kernel::versions::ExpectedVersion;
use domain::limits::Class;
use http_core::body::{self, Patch};
use http_core::query::Paged;
use http_core::{LimitPolicy, action, operation, responses};

operation! {
    List = "GET /api/settings/members", access: ManageMembers, query: Paged<MemberRecord>
    => list(members::list(page))
}

action! {
    Invite = "POST /api/settings/members",
    limits: LimitPolicy::new(Class::Critical).by_address(), access: ManageMembers, body: body::Create<InvitationFields>
    => members::invite(body) -> MemberView,
    |member| responses::created(member, format!("/api/settings/members/{}", member.id))
}

operation! {
    Update = "PATCH /api/settings/members/{member_id}",
    access: ManageMembers, path: UserId, headers: ExpectedVersion, body: Patch<RoleFields>
    => changed(members::change_role(path, headers, body))
}

operation! {
    Remove = "DELETE /api/settings/members/{member_id}", access: ManageMembers, path: UserId, headers: ExpectedVersion
    => deleted(members::remove(path, headers))
}
