//! The one extractor: every check of a request, in the contract's order.

use actix_web::HttpRequest;
use actix_web::web::Bytes;
use domain::access::Permit;
use domain::api_keys::authenticate;
use domain::idempotency::Once;
use domain::input::Problems;
use domain::ports::Ports;

use crate::body::{self, Body};
use crate::conditions::Headers;
use crate::endpoint::{Action, Endpoint};
use crate::errors::Failure;
use crate::exchange::Exchange;
use crate::idempotency::fingerprint;
use crate::path::PathIds;
use crate::query;
use crate::{AppState, credential, media_type};

/// A request that has passed every check that needs no record.
pub(crate) struct Call<E: Endpoint> {
    /// What use cases need.
    pub(crate) ports: Ports,
    /// Proof that the caller may do this.
    pub(crate) permit: Permit<E::Permission>,
    /// The ids in the path.
    pub(crate) path: E::Path,
    /// The query parameters.
    pub(crate) query: E::Query,
    /// The headers that the operation obeys.
    pub(crate) headers: E::Headers,
    /// The body.
    pub(crate) body: E::Body,
    request: HttpRequest,
    raw: Bytes,
}

impl<E: Endpoint> Call<E> {
    /// Checks a request; the first check that fails answers. Route and method are known already.
    pub(crate) async fn receive(request: &HttpRequest, state: &AppState) -> Result<Self, Failure> {
        let exchange = Exchange::of(request);
        let headers = request.headers();
        let caller = authenticate(&state.ports, credential::bearer(headers)?).await?;
        exchange.set_caller(&caller);
        // The rate limit's place: after the credential that it counts for, before what the credential may do.
        let permit = caller.permit::<E::Permission>()?;
        let raw = if E::Body::PRESENT {
            media_type::check(headers)?;
            body::read(&exchange, headers).await?
        } else {
            Bytes::new()
        };
        let mut problems = Problems::default();
        let path = E::Path::read(request, &mut problems);
        let query = query::read::<E::Query>(request.query_string(), &mut problems);
        let headers = E::Headers::read(headers, &mut problems);
        // Last, since it takes the problems of all others: nothing of the call is used unless there is none.
        let body = E::Body::read(&raw, problems)?;
        Ok(Self { ports: state.ports.clone(), permit, path, query, headers, body, request: request.clone(), raw })
    }
}

impl<A: Action> Call<A> {
    /// What makes the action happen at most once, if the client asked for that.
    pub(crate) fn once(&self) -> Option<Once<A::Made>> {
        let key = self.headers.0.clone()?;
        let request = &self.request;
        let parts = [request.method().as_str().as_bytes(), request.path().as_bytes(), &self.raw];
        Some(Once { key, route: A::ROUTE, fingerprint: fingerprint(parts), render: A::answer })
    }
}
