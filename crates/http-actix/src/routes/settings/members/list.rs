//! `GET /api/settings/members`.

use actix_web::HttpResponse;
use domain::access::ManageMembers;
use domain::members::{self, MemberRecord};
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::query::Paged;
use http_frame::reply;

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
