//! What browsers ask before a page of another origin calls. Each is answered for the page that it comes from alone.

use actix_web::HttpResponse;
use domain::limits::Class;
use http_frame::call::Call;
use http_frame::cross_origin::preflight;
use http_frame::customers::WidgetPage;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::query::Any;

pub(crate) struct PreflightTicket;

pub(crate) struct PreflightSearch;

impl Endpoint for PreflightTicket {
    const ROUTE: &'static str = "OPTIONS /api/widget/{workspace_id}/tickets";
    const CLASS: Class = Class::Read;
    type Access = WidgetPage;
    type Path = ();
    type Query = Any;
    type Headers = ();
    type Body = ();

    async fn handle(_: Call<Self>) -> Result<HttpResponse, Failure> {
        Ok(preflight("POST"))
    }
}

impl Endpoint for PreflightSearch {
    const ROUTE: &'static str = "OPTIONS /api/widget/{workspace_id}/kb/search";
    const CLASS: Class = Class::Read;
    type Access = WidgetPage;
    type Path = ();
    type Query = Any;
    type Headers = ();
    type Body = ();

    async fn handle(_: Call<Self>) -> Result<HttpResponse, Failure> {
        Ok(preflight("GET"))
    }
}
