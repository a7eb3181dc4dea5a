//! `GET /api/settings/members`.

use actix_web::HttpResponse;
use domain::identity::access::ManageMembers;
use domain::identity::members::{self, MemberRecord};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::query::Paged;
use http_core::reply;

pub(crate) struct List;

impl Endpoint for List {
    const ROUTE: &'static str = "GET /api/settings/members";
    type Access = ManageMembers;
    type Path = ();
    type Query = Paged<MemberRecord>;
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let page = members::list(&call.ports, &call.permit, call.query.page).await?;
        Ok(reply::list(&page))
    }
}
