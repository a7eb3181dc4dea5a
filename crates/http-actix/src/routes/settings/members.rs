//! `/api/settings/members`.

use domain::UserId;
use domain::identity::access::ManageMembers;
use domain::identity::members::{self, InvitationFields, KeysOfMember, MemberRecord, MemberView, Removal, RoleFields};
use domain::kernel::input::CreatedFilter;
use domain::kernel::versions::ExpectedVersion;
use http_core::body::{self, Patch};
use http_core::description::{Described, Parameter};
use http_core::query::{Filtered, Query, QueryReader};
use http_core::{LimitPolicy, action, operation};
use serde_json::json;

const CRITICAL: LimitPolicy = LimitPolicy::CRITICAL.by_address();

operation! {
    /// List the members of the workspace with their roles.
    List = "GET /api/settings/members", access: ManageMembers, query: Filtered<CreatedFilter, MemberRecord>
    => list(members::list(filter, page)) -> MemberView
}

// No `Location`: no route reads one member.
action! {
    /// Invite a member.
    Invite = "POST /api/settings/members",
    limits: CRITICAL, access: ManageMembers, body: body::Create<InvitationFields>, errors: [Duplicate]
    => members::invite(body) -> MemberView, created_without_location
}

operation! {
    /// Change the role of a member.
    Update = "PATCH /api/settings/members/{member_id}",
    limits: CRITICAL, access: ManageMembers, path: UserId, headers: ExpectedVersion, body: Patch<RoleFields>,
    errors: [Conflict]
    => changed(members::change_role(path, headers, body)) -> MemberView
}

/// The query of a removal.
pub(crate) struct RemovalQuery {
    filter: KeysOfMember,
}

impl Query for RemovalQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let parse = |text: &str| match text {
            "true" => Some(KeysOfMember::Revoke),
            "false" => Some(KeysOfMember::Keep),
            _ => None,
        };
        let revoke = query.choice("revoke_keys", parse, || "true, false".to_owned());
        Self { filter: revoke.unwrap_or(KeysOfMember::Keep) }
    }
}

impl Described for RemovalQuery {
    fn parameters() -> Vec<Parameter> {
        let description = "Whether to also revoke the API keys that the member created.";
        vec![Parameter::new("revoke_keys", description, json!({ "type": "boolean", "default": false }))]
    }
}

operation! {
    /// Remove a member.
    Remove = "DELETE /api/settings/members/{member_id}",
    limits: CRITICAL, access: ManageMembers, path: UserId, query: RemovalQuery, headers: ExpectedVersion,
    errors: [Conflict]
    => shown(members::remove(path, headers, filter)) -> Removal
}
