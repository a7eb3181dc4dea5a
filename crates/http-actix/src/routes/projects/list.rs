//! `GET /projects`.

use actix_web::HttpResponse;
use domain::access::ReadProjects;
use domain::projects::{self, Project};
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::query::Paged;
use http_frame::reply;

pub(crate) struct List;

impl Endpoint for List {
    const ROUTE: &'static str = "GET /api/v1/projects";
    type Access = ReadProjects;
    type Path = ();
    type Query = Paged<Project>;
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let page = projects::list(&call.ports, &call.permit, call.query.page).await?;
        Ok(reply::list(&page))
    }
}
