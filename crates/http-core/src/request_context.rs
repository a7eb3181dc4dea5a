//! State of one request, shared by the middleware and the operation.

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

use crate::answers::Reservation;
use crate::connections::Connection;
use crate::errors::HttpError;

/// State of one request.
pub struct RequestContext {
    /// Sent in every response and error body, and part of every log line.
    pub request_id: Arc<str>,
    payload: RefCell<Payload>,
    /// The pattern of the route; `-` for an unknown route.
    pub(crate) route: Cell<&'static str>,
    pub(crate) caller: Cell<Option<(WorkspaceId, Credential)>>,
    /// `None` if the request did not count.
    pub(crate) rate_limit: Cell<Option<RateLimitStatus>>,
    pub(crate) origin: RefCell<Origin>,
    /// Memory for the response.
    pub(crate) memory: RefCell<Option<Reservation>>,
    /// `None` in in-process tests.
    pub(crate) connection: Option<Arc<Connection>>,
    /// Whether the request was refused because of load.
    pub(crate) is_shed: Cell<bool>,
}

/// Whether pages of other origins may read the response.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Origin {
    /// No other origin may.
    #[default]
    Irrelevant,
    /// This origin may not; others may.
    Refused,
    /// Pages of this origin.
    Allowed(String),
}

impl RequestContext {
    pub(crate) fn new(request_id: Arc<str>, payload: Payload, connection: Option<Arc<Connection>>) -> Rc<Self> {
        Rc::new(Self {
            request_id,
            payload: RefCell::new(payload),
            route: Cell::new("-"),
            caller: Cell::new(None),
            rate_limit: Cell::new(None),
            origin: RefCell::default(),
            memory: RefCell::default(),
            connection,
            is_shed: Cell::new(false),
        })
    }

    /// The context that the middleware attached to the request.
    pub fn of(request: &HttpRequest) -> Rc<Self> {
        let context = request.extensions().get::<Rc<Self>>().map(Rc::clone);
        // Every route is inside the middleware; without it there is neither id nor body.
        context.unwrap_or_else(|| Self::new("-".into(), Payload::None, None))
    }

    /// The next chunk of the body, `None` at its end. Cancel-safe between chunks.
    pub(crate) async fn next_bytes(&self) -> Option<Result<Bytes, PayloadError>> {
        // Borrowed per poll: no borrow is held between polls.
        poll_fn(|context| {
            let polled = Pin::new(&mut *self.payload.borrow_mut()).poll_next(context);
            self.set_wants_body(polled.is_pending());
            polled
        })
        .await
    }

    fn set_wants_body(&self, wants: bool) {
        if let Some(connection) = &self.connection {
            connection.set_wants_body(wants);
        }
    }

    /// Drops the body.
    pub(crate) fn close_body(&self) {
        drop(self.payload.replace(Payload::None));
        self.set_wants_body(false);
    }

    pub fn set_route(&self, pattern: &'static str) {
        self.route.set(pattern);
    }

    pub(crate) fn set_caller(&self, caller: &Caller) {
        self.caller.set(Some((caller.workspace().id, caller.credential())));
    }

    pub(crate) fn set_rate_limit(&self, rate_limit: RateLimitStatus) {
        self.rate_limit.set(Some(rate_limit));
    }

    /// Adds the bytes of a received body to the reservation: it is in memory together with the response. Fails with
    /// [`HttpError::Busy`] if there is no memory for this many bytes.
    pub(crate) fn grow_memory(&self, bytes: usize) -> Result<(), HttpError> {
        match &mut *self.memory.borrow_mut() {
            Some(memory) => memory.grow_to(bytes).map_err(|_| HttpError::Busy),
            None => Ok(()),
        }
    }
}
