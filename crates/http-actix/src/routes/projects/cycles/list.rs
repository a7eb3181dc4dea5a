//! `GET /projects/{project_id}/cycles`.

use actix_web::HttpResponse;
use domain::ProjectId;
use domain::access::ReadCycles;
use domain::projects::{CycleView, cycles};
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::query::Paged;
use http_frame::reply;

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
