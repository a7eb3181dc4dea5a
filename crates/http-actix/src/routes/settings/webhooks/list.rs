//! `GET /api/settings/webhooks`.

use actix_web::HttpResponse;
use domain::access::ReadWebhooks;
use domain::webhooks::{self, Subscription};
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::query::Paged;
use http_frame::reply;

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
