//! Requests whose response waits for an event, or is streamed for a long time.
//!
//! While they wait, they hold no memory from the answer budget; their connection still counts.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::Version;
use actix_web::{HttpRequest, web};
use domain::Error;
use domain::identity::access::{Permission, Permit};
use domain::limits::Class;
use domain::ports::{Ports, StoreError};

use crate::admission;
use crate::answers::{Owner, Reservation};
use crate::endpoint::{Endpoint, EndpointRequest};
use crate::errors::HttpError;
use crate::guards::Guards;
use crate::request_context::RequestContext;
use crate::settings::HttpSettings;
use crate::state::AppState;

/// A waiting request.
pub struct HeldRequest {
    request: HttpRequest,
    state: web::Data<AppState>,
    exchange: Rc<RequestContext>,
    deadline: Duration,
    /// The access token of a browser's session; `None` if the credential is in `Authorization`.
    session: Option<String>,
}

/// Memory from the answer budget; dropping it releases the memory.
#[derive(Debug)]
pub struct HeldMemory(#[expect(dead_code, reason = "held until it is dropped")] Reservation);

impl HeldMemory {
    /// Fails with [`HttpError::Busy`] if a budget does not have that many bytes left.
    pub(crate) fn reserve(guards: &Guards, owner: Owner, bytes: usize) -> Result<Self, HttpError> {
        guards.answers.reserve(owner, bytes).map(Self).map_err(|_| HttpError::Busy)
    }
}

impl<E: Endpoint> EndpointRequest<E> {
    /// Turns the request into one that can wait. Fails with [`Error::Store`] for a request outside the application,
    /// which does not happen.
    pub fn held(&self) -> Result<HeldRequest, HttpError> {
        let state = self.request.app_data::<web::Data<AppState>>().cloned();
        let state = state.ok_or_else(|| Error::Store(StoreError::Internal("a request without state".to_owned())))?;
        Ok(HeldRequest {
            exchange: RequestContext::of(&self.request),
            deadline: state.settings.deadline_of(E::LIMITS.class),
            request: self.request.clone(),
            session: None,
            state,
        })
    }
}

impl HeldRequest {
    /// A waiting request from a browser with this session.
    pub fn from_browser(request: HttpRequest, state: web::Data<AppState>, class: Class, session: String) -> Self {
        Self {
            exchange: RequestContext::of(&request),
            deadline: state.settings.deadline_of(class),
            session: Some(session),
            request,
            state,
        }
    }

    pub fn ports(&self) -> &Arc<Ports> {
        &self.state.ports
    }

    /// The HTTP version of the request.
    pub fn version(&self) -> Version {
        self.request.version()
    }

    pub fn settings(&self) -> &HttpSettings {
        &self.state.settings
    }

    /// Runs a part of the work within the deadline of the request's class. Fails with [`HttpError::Deadline`], or
    /// as the work does.
    pub async fn within_deadline<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, HttpError> {
        let result = actix_web::rt::time::timeout(self.deadline, work).await;
        Ok(result.map_err(|_| HttpError::Deadline(self.deadline))??)
    }

    /// Verifies the credential again: it may have expired, been revoked or lost permissions.
    pub async fn verify<P: Permission>(&self) -> Result<Permit<P>, Error> {
        let verified = match &self.session {
            Some(token) => admission::verify_token(&self.request, &self.state, token).await,
            None => admission::verify(&self.request, &self.state).await,
        };
        verified?.permit()
    }

    /// Whether verifying reads the database only if the credential has changed.
    pub fn verification_is_free(&self) -> bool {
        let ports = &self.state.ports;
        ports.credential_cache.is_fresh(ports.clock.elapsed())
    }

    /// Releases the memory for the answer while there is nothing to send.
    pub fn release_memory(&self) {
        drop(self.exchange.memory.take());
    }

    /// Reserves memory for the answer again, if it was released. Fails with [`HttpError::Busy`].
    pub fn hold_memory(&self) -> Result<(), HttpError> {
        let Some(owner) = self.exchange.caller.get().map(Owner::from) else { return Ok(()) };
        self.state.guards.hold(&self.request, owner)
    }

    /// Reserves memory for a part of a stream. Fails with [`HttpError::Busy`].
    pub fn reserve(&self, bytes: usize) -> Result<Option<HeldMemory>, HttpError> {
        let Some(owner) = self.exchange.caller.get().map(Owner::from) else { return Ok(None) };
        HeldMemory::reserve(&self.state.guards, owner, bytes).map(Some)
    }

    /// Waits until the client has closed its side of the connection.
    pub async fn disconnected(&self) {
        match &self.exchange.connection {
            Some(connection) => connection.disconnected().await,
            None => std::future::pending().await,
        }
    }
}
