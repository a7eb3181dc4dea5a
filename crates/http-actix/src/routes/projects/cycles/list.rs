//! `GET /projects/{project_id}/cycles`.

use actix_web::HttpResponse;
use domain::ProjectId;
use domain::identity::access::ReadCycles;
use domain::work::cycles;
use domain::work::cycles::CycleView;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::query::Paged;
use http_core::reply;

pub(crate) struct List;

impl Endpoint for List {
    const ROUTE: &'static str = "GET /api/v1/projects/{project_id}/cycles";
    type Access = ReadCycles;
    type Path = ProjectId;
    type Query = Paged<CycleView>;
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let page = cycles::list(&call.ports, &call.permit, call.path, call.query.page).await?;
        Ok(reply::list(&page))
    }
}
