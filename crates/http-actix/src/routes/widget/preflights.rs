//! What browsers ask before a page of another origin calls. Each is answered for the page that it comes from alone.

use actix_web::HttpResponse;
use domain::limits::Class;
use http_core::cross_origin::preflight;
use http_core::customers::WidgetPage;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::query::Any;

pub(crate) struct PreflightTicket;

pub(crate) struct PreflightSearch;

impl Endpoint for PreflightTicket {
    const ROUTE: &'static str = "OPTIONS /api/widget/{workspace_id}/tickets";
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Read);
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
    const LIMITS: http_core::LimitPolicy = http_core::LimitPolicy::new(Class::Read);
    type Access = WidgetPage;
    type Path = ();
    type Query = Any;
    type Headers = ();
    type Body = ();

    async fn handle(_: Call<Self>) -> Result<HttpResponse, Failure> {
        Ok(preflight("GET"))
    }
}
