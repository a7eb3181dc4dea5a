//! Requests whose answer is held back until something happens, or streamed for long.
//!
//! While nothing happens they hold no memory of the budget for answers; their connection stays counted.

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

/// A request that waits.
pub struct HeldRequest {
    request: HttpRequest,
    state: web::Data<AppState>,
    exchange: Rc<RequestContext>,
    deadline: Duration,
    /// The access token of a browser's session; `None` where `Authorization` has the credential.
    session: Option<String>,
}

/// Memory of the budget for answers; dropping it gives it back.
#[derive(Debug)]
pub struct HeldMemory(#[expect(dead_code, reason = "held until it is dropped")] Reservation);

impl HeldMemory {
    /// # Errors
    /// [`HttpError::Busy`] if a budget does not have so many bytes.
    pub(crate) fn reserve(guards: &Guards, owner: Owner, bytes: usize) -> Result<Self, HttpError> {
        guards.answers.reserve(owner, bytes).map(Self).map_err(|_| HttpError::Busy)
    }
}

impl<E: Endpoint> EndpointRequest<E> {
    /// What a request needs that waits.
    ///
    /// # Errors
    /// [`Error::Store`] for a request outside of the application, which there is none of.
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
    /// A request of a browser with this session.
    pub fn of_browser(request: HttpRequest, state: web::Data<AppState>, class: Class, session: String) -> Self {
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

    /// The version of HTTP that the client speaks.
    pub fn version(&self) -> Version {
        self.request.version()
    }

    pub fn settings(&self) -> &HttpSettings {
        &self.state.settings
    }

    /// Does a part of the work within the deadline of the request's class.
    ///
    /// # Errors
    /// [`HttpError::Deadline`], and those of the work.
    pub async fn in_time<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, HttpError> {
        let done = actix_web::rt::time::timeout(self.deadline, work).await;
        Ok(done.map_err(|_| HttpError::Deadline(self.deadline))??)
    }

    /// Verifies the credential again: it may have ended, or lost permissions.
    ///
    /// # Errors
    /// Those of authentication and permission.
    pub async fn verify<P: Permission>(&self) -> Result<Permit<P>, Error> {
        let verified = match &self.session {
            Some(token) => admission::verify_token(&self.request, &self.state, token).await,
            None => admission::verify(&self.request, &self.state).await,
        };
        verified?.permit()
    }

    /// Whether verifying reads no database unless the credential has changed.
    pub fn verifies_at_no_cost(&self) -> bool {
        let ports = &self.state.ports;
        ports.credential_cache.is_fresh(ports.clock.elapsed())
    }

    /// Gives back the memory for the answer while there is none.
    pub fn release_memory(&self) {
        drop(self.exchange.take_memory());
    }

    /// Holds memory for the answer again, if it was given back.
    ///
    /// # Errors
    /// [`HttpError::Busy`].
    pub fn hold_memory(&self) -> Result<(), HttpError> {
        let Some(owner) = self.exchange.caller().map(Owner::from) else { return Ok(()) };
        self.state.guards.hold(&self.request, owner)
    }

    /// Holds memory for a part of a stream.
    ///
    /// # Errors
    /// [`HttpError::Busy`].
    pub fn reserve(&self, bytes: usize) -> Result<Option<HeldMemory>, HttpError> {
        let Some(owner) = self.exchange.caller().map(Owner::from) else { return Ok(None) };
        HeldMemory::reserve(&self.state.guards, owner, bytes).map(Some)
    }

    /// Waits until the client has closed its side of the connection.
    pub async fn gone(&self) {
        match self.exchange.connection() {
            Some(connection) => connection.gone().await,
            None => std::future::pending().await,
        }
    }
}
