//! Runs a request's CPU-bound work on the rendering threads.

use std::sync::Arc;

use actix_web::HttpRequest;
use domain::Error;
use domain::ports::StoreError;

use crate::admission::group_of;
use crate::answers::Owner;
use crate::errors::HttpError;
use crate::guards::Guards;
use crate::held::HeldMemory;
use crate::rendering::Admission;
use crate::request_context::RequestContext;
use crate::state::AppState;

/// Work on up to this many bytes takes well below a millisecond and runs on the worker's own thread.
const MAX_INLINE_BYTES: usize = 16 * 1024;

/// The rendering threads, for the caller of a request.
#[derive(Debug, Clone)]
pub struct Renderer {
    guards: Arc<Guards>,
    owner: Owner,
}

impl Renderer {
    /// The threads for the caller of a request; a caller without a credential is identified by its address.
    pub fn of(request: &HttpRequest, state: &AppState) -> Self {
        let caller = RequestContext::of(request).caller.get();
        let owner = caller.map_or_else(|| Owner::Address(group_of(request, state)), Owner::from);
        Self { guards: Arc::clone(&state.guards), owner }
    }

    /// Runs work on one of the threads when it is the caller's turn. Fails with [`HttpError::Busy`] if the queue of the
    /// caller, of its workspace or of the process is full.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, HttpError> {
        self.guards.rendering.run(self.owner, Admission::Bounded, work).await
    }

    /// Runs work on this many bytes: on the current thread if they are few, otherwise like [`run`](Self::run).
    pub async fn run_on<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, HttpError> {
        if bytes <= MAX_INLINE_BYTES { Ok(work()) } else { self.run(work).await }
    }

    /// Like [`run`](Self::run), but never refused: for a part of a response that has begun. The caller bounds the number of such
    /// responses. Fails with [`StoreError::Unavailable`] while the service is stopping.
    pub async fn run_admitted<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        let result = self.guards.rendering.run(self.owner, Admission::Always, work).await;
        result.map_err(|_| Error::Store(StoreError::Unavailable("the service is stopping".to_owned())))
    }

    /// Reserves memory from the answer budget, for a response whose size is not known when it begins. Fails with
    /// [`HttpError::Busy`] if a budget is used up.
    pub fn reserve(&self, bytes: usize) -> Result<HeldMemory, HttpError> {
        HeldMemory::reserve(&self.guards, self.owner, bytes)
    }
}
