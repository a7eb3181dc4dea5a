//! `GET /api/settings/webhooks`.

use actix_web::HttpResponse;
use domain::access::ReadWebhooks;
use domain::webhooks::{self, Subscription};

use crate::call::Call;
use crate::endpoint::Endpoint;
use crate::errors::Failure;
use crate::query::Paged;
use crate::reply;

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
