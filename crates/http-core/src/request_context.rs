//! What is known of one request while it is answered: shared by the middleware and the operation.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use actix_web::{HttpMessage, HttpRequest};
use domain::WorkspaceId;
use domain::identity::access::{Caller, Credential};
use domain::kernel::RateLimitStatus;
use futures_util::future::poll_fn;
use futures_util::stream::Stream;

/// One request's notes.
pub struct RequestContext {
    /// Stands in every answer, error body and log line.
    pub request_id: Arc<str>,
    payload: RefCell<Payload>,
    route: Cell<&'static str>,
    caller: Cell<Option<(WorkspaceId, Credential)>>,
    rate_limit: Cell<Option<RateLimitStatus>>,
    origin: RefCell<Origin>,
}

/// Which pages of other origins may read the answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Origin {
    /// None, whatever they are.
    #[default]
    Irrelevant,
    /// None, but it depends on the origin.
    Refused,
    /// Those of this one.
    Allowed(String),
}

impl RequestContext {
    pub(crate) fn new(request_id: Arc<str>, payload: Payload) -> Rc<Self> {
        Rc::new(Self {
            request_id,
            payload: RefCell::new(payload),
            route: Cell::new("-"),
            caller: Cell::new(None),
            rate_limit: Cell::new(None),
            origin: RefCell::default(),
        })
    }

    /// The exchange that the middleware put into the request.
    pub fn of(request: &HttpRequest) -> Rc<Self> {
        let known = request.extensions().get::<Rc<Self>>().map(Rc::clone);
        // Every route lies inside the middleware; without it there is neither id nor body.
        known.unwrap_or_else(|| Self::new("-".into(), Payload::None))
    }

    /// The next piece of the body, none at its end. May be given up between two pieces at any time.
    pub(crate) async fn next_bytes(&self) -> Option<Result<Bytes, PayloadError>> {
        // Borrowed for one poll at a time: nothing is held while nobody polls.
        poll_fn(|context| Pin::new(&mut *self.payload.borrow_mut()).poll_next(context)).await
    }

    /// Lets go of the body.
    pub(crate) fn close_body(&self) {
        drop(self.payload.replace(Payload::None));
    }

    /// Notes the pattern of the route.
    pub fn set_route(&self, pattern: &'static str) {
        self.route.set(pattern);
    }

    /// The pattern of the route, `-` when there is none.
    pub(crate) fn route(&self) -> &'static str {
        self.route.get()
    }

    /// Notes who calls.
    pub(crate) fn set_caller(&self, caller: &Caller) {
        self.caller.set(Some((caller.workspace().id, caller.credential())));
    }

    /// The caller's workspace and credential.
    pub(crate) fn caller(&self) -> Option<(WorkspaceId, Credential)> {
        self.caller.get()
    }

    /// Notes where the request stands in the window that it counted in.
    pub(crate) fn set_rate_limit(&self, rate_limit: RateLimitStatus) {
        self.rate_limit.set(Some(rate_limit));
    }

    /// Notes which pages may read the answer.
    pub(crate) fn set_origin(&self, origin: Origin) {
        self.origin.replace(origin);
    }

    /// Which pages may read the answer.
    pub(crate) fn origin(&self) -> Origin {
        self.origin.borrow().clone()
    }

    /// Where the request stands; none when it did not count.
    pub(crate) fn rate_limit(&self) -> Option<RateLimitStatus> {
        self.rate_limit.get()
    }
}
