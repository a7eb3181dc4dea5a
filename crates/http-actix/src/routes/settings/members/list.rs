//! `GET /api/settings/members`.

use actix_web::HttpResponse;
use domain::access::ManageMembers;
use domain::members::{self, MemberRecord};

use crate::call::Call;
use crate::endpoint::Endpoint;
use crate::errors::Failure;
use crate::query::Paged;
use crate::reply;

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
