//! `GET /projects`.

use actix_web::HttpResponse;
use domain::identity::access::ReadProjects;
use domain::work::projects::{self, Project};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::query::Paged;
use http_core::reply;

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
