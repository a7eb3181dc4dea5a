//! `GET /api/public/kb/search`.

use actix_web::HttpResponse;
use domain::identity::access;
use domain::limits::Class;
use domain::support::kb;
use http_core::endpoint::{Call, Endpoint};
use http_core::errors::Failure;
use http_core::reply;

use super::KbParameters;

pub(crate) struct SearchKb;

impl Endpoint for SearchKb {
    const ROUTE: &'static str = "GET /api/public/kb/search";
    const LIMITS: http_core::LimitPolicy =
        http_core::LimitPolicy::new(Class::Read).with_public(Class::PublicKbSearches);
    type Access = access::SearchKb;
    type Path = ();
    type Query = KbParameters;
    type Headers = ();
    type Body = ();

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let hits = match call.query.query {
            Some(query) => kb::search(&call.ports, &call.permit, query, call.query.limit).await?,
            None => Vec::new(),
        };
        Ok(reply::shown(&hits))
    }
}
