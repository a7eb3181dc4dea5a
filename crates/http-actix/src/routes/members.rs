//! `/members`: the members of the workspace, for every caller who can read records.

use domain::identity::access::ListMembers;
use domain::identity::members::{self, MemberEntry, MemberFilter};
use http_core::operation;
use http_core::query::Filtered;

operation! {
    /// List the members of the workspace.
    List = "GET /api/v1/members", contract: additional, access: ListMembers, query: Filtered<MemberFilter, MemberEntry>
    => list(members::list_entries(filter, page)) -> MemberEntry
}
