//! `/members`: the members of the workspace, for everybody who reads records.

use domain::identity::access::ListMembers;
use domain::identity::members::{self, MemberFilter};
use domain::kernel::paging::{ListName, PageRequest};
use domain::support;
use http_core::operation;
use http_core::query::{Query, QueryReader};

pub(crate) struct ListQuery {
    filter: MemberFilter,
    page: PageRequest,
}

impl Query for ListQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let email_key = query.parsed_by("email", support::parse_email);
        Self { filter: MemberFilter { search: query.search(), email_key }, page: query.page(ListName::Members) }
    }
}

operation! {
    List = "GET /api/v1/members", access: ListMembers, query: ListQuery
    => list(members::list_entries(filter, page))
}
