//! The one extractor: every check of a request, in the contract's order.

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::web::Bytes;
use domain::kernel::idempotency::IdempotentRequest;
use domain::kernel::input::Problems;
use domain::ports::Ports;

use crate::admission::Admission;
use crate::body::{self, Body};
use crate::conditions::Headers;
use crate::endpoint::{Action, Endpoint};
use crate::errors::HttpError;
use crate::idempotency::fingerprint;
use crate::path::PathIds;
use crate::{AppState, query};

/// A request that has passed every check that needs no record.
pub struct EndpointRequest<E: Endpoint> {
    /// What use cases need.
    pub ports: Arc<Ports>,
    /// Proof that the caller may do this.
    pub permit: <E::Access as Admission>::Granted,
    /// The ids in the path.
    pub path: E::Path,
    /// The query parameters.
    pub query: E::Query,
    /// The headers that the operation obeys.
    pub headers: E::Headers,
    /// The body.
    pub body: E::Body,
    request: HttpRequest,
    raw: Bytes,
}

impl<E: Endpoint> EndpointRequest<E> {
    /// Checks a request; the first check that fails answers. Route and method are known already.
    pub(crate) async fn receive(request: &HttpRequest, state: &AppState) -> Result<Self, HttpError> {
        let permit = E::Access::admit::<E>(request, state).await?;
        let raw = body::receive_as(E::Body::PRESENCE, request).await?;
        let mut problems = Problems::default();
        let path = E::Path::read(request, &mut problems);
        let query = query::read::<E::Query>(request.query_string(), &mut problems);
        let headers = E::Headers::read(request.headers(), &mut problems);
        // Last, since it takes the problems of all others: nothing of the call is used unless there is none.
        let body = E::Body::read(&raw, problems)?;
        Ok(Self { ports: Arc::clone(&state.ports), permit, path, query, headers, body, request: request.clone(), raw })
    }
}

impl<A: Action> EndpointRequest<A> {
    /// What makes the action happen at most once, if the client asked for that.
    pub fn once(&self) -> Option<IdempotentRequest<A::Output>> {
        let key = self.headers.0.clone()?;
        let request = &self.request;
        let parts = [request.method().as_str().as_bytes(), request.path().as_bytes(), &self.raw];
        Some(IdempotentRequest { key, route: A::ROUTE, fingerprint: fingerprint(parts), render: A::response })
    }
}
