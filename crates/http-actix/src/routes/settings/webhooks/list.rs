//! `GET /api/settings/webhooks`.

use actix_web::HttpResponse;
use domain::identity::access::ReadWebhooks;
use domain::webhooks::{self, Subscription};
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::query::Paged;
use http_core::reply;

pub(crate) struct List;

impl Endpoint for List {
    const ROUTE: &'static str = "GET /api/settings/webhooks";
    type Access = ReadWebhooks;
    type Path = ();
    type Query = Paged<Subscription>;
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let page = webhooks::list(&call.ports, &call.permit, call.query.page).await?;
        Ok(reply::list(&page))
    }
}
