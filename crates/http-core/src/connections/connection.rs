//! One open connection, shared by the registry and its requests.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use domain::limits::AddressGroup;
use futures_util::task::AtomicWaker;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::answers::Reservation;

/// An open connection.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(super) id: u64,
    /// The address group that it counts for; `None` for a trusted proxy, whose connections carry many clients.
    pub(super) network: Option<AddressGroup>,
    /// The credential of its last request. Lock order: after the registry's lock, never before it.
    credential: Mutex<Option<Uuid>>,
    opened: Instant,
    /// Milliseconds after `opened` at which the last response ended; 0 before the first request.
    idle_since: AtomicU64,
    /// Number of requests started so far.
    request_count: AtomicU64,
    is_answering: AtomicBool,
    /// Whether bytes wait for the client to read.
    is_blocked: AtomicBool,
    /// Whether the running request waits for more of its body.
    wants_body: AtomicBool,
    /// Whether the stream has stopped reading what the client sends after the running request.
    has_paused_reading: AtomicBool,
    /// Set by the registry: close the connection as soon as no request is running.
    is_closing: AtomicBool,
    waker: AtomicWaker,
    /// Set when the client closes its side while a request is running.
    is_disconnected: AtomicBool,
    disconnected: Notify,
    /// Reservations of answers that were passed to actix but not fully written to the socket.
    unsent: Mutex<Vec<Reservation>>,
    has_unsent: AtomicBool,
}

impl Connection {
    pub(super) fn new(id: u64, network: Option<AddressGroup>) -> Self {
        Self {
            id,
            network,
            credential: Mutex::default(),
            opened: Instant::now(),
            idle_since: AtomicU64::new(0),
            request_count: AtomicU64::new(0),
            is_answering: AtomicBool::new(false),
            is_blocked: AtomicBool::new(false),
            wants_body: AtomicBool::new(false),
            has_paused_reading: AtomicBool::new(false),
            is_closing: AtomicBool::new(false),
            waker: AtomicWaker::new(),
            is_disconnected: AtomicBool::new(false),
            disconnected: Notify::new(),
            unsent: Mutex::default(),
            has_unsent: AtomicBool::new(false),
        }
    }

    /// Whether it belongs to a trusted proxy, which sends requests of many clients over it.
    pub(crate) const fn is_shared(&self) -> bool {
        self.network.is_none()
    }

    /// The credential that it counts for.
    pub(super) fn credential(&self) -> MutexGuard<'_, Option<Uuid>> {
        self.credential.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks the connection as busy until the guard is dropped.
    pub(crate) fn begin_request(self: &Arc<Self>) -> RequestInFlight {
        self.request_count.fetch_add(1, Ordering::Relaxed);
        self.is_answering.store(true, Ordering::Relaxed);
        RequestInFlight(Arc::clone(self))
    }

    /// Records whether the running request waits for more of its body.
    pub(crate) fn set_wants_body(&self, wants: bool) {
        self.wants_body.store(wants, Ordering::Relaxed);
        if wants {
            self.resume_reading();
        }
    }

    /// Whether bytes may be read: between requests, and while a request waits for its body.
    pub(super) fn may_read(&self) -> bool {
        !self.is_answering() || self.wants_body.load(Ordering::Relaxed)
    }

    pub(super) fn pause_reading(&self) {
        self.has_paused_reading.store(true, Ordering::Relaxed);
    }

    /// Wakes the task if it had stopped reading.
    pub(super) fn resume_reading(&self) {
        if self.has_paused_reading.swap(false, Ordering::Relaxed) {
            self.waker.wake();
        }
    }

    pub(super) fn request_count(&self) -> u64 {
        self.request_count.load(Ordering::Relaxed)
    }

    pub(super) fn is_answering(&self) -> bool {
        self.is_answering.load(Ordering::Relaxed)
    }

    /// Whether no request is running and nothing waits to be sent.
    pub(super) fn is_idle(&self) -> bool {
        !self.is_answering() && !self.is_blocked()
    }

    pub(super) fn is_blocked(&self) -> bool {
        self.is_blocked.load(Ordering::Relaxed)
    }

    pub(super) fn set_blocked(&self, is_blocked: bool) {
        self.is_blocked.store(is_blocked, Ordering::Relaxed);
    }

    /// When it became idle. Bytes of a request that has not begun do not count, so a slow sender stays the oldest.
    pub(super) fn idle_since(&self) -> Instant {
        self.opened + Duration::from_millis(self.idle_since.load(Ordering::Relaxed))
    }

    /// Asks the connection to close once it is idle. Returns whether this is the first time.
    pub(super) fn close(&self) -> bool {
        let is_first = !self.is_closing.swap(true, Ordering::Relaxed);
        self.waker.wake();
        is_first
    }

    pub(super) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }

    /// Records that the client has closed its side: it sends nothing more, and most clients read nothing more either.
    pub(super) fn set_disconnected(&self) {
        if !self.is_disconnected.swap(true, Ordering::Relaxed) {
            self.disconnected.notify_one();
        }
    }

    /// Waits until the client has disconnected. Only the running request may wait.
    pub(crate) async fn disconnected(&self) {
        if !self.is_disconnected.load(Ordering::Relaxed) {
            self.disconnected.notified().await;
        }
    }

    /// Registers the task to wake when the connection should close or may continue reading.
    pub(super) fn register_waker(&self, waker: &std::task::Waker) {
        self.waker.register(waker);
    }

    /// Keeps a reservation until all pending bytes are written to the socket.
    fn keep_until_sent(&self, reservation: Reservation) {
        self.unsent.lock().unwrap_or_else(PoisonError::into_inner).push(reservation);
        self.has_unsent.store(true, Ordering::Release);
    }

    /// Records that all bytes so far are written to the socket.
    pub(super) fn release_sent(&self) {
        if self.has_unsent.swap(false, Ordering::AcqRel) {
            self.unsent.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
}

/// A request that is being answered. Dropping it makes the connection idle.
#[derive(Debug)]
pub(crate) struct RequestInFlight(Arc<Connection>);

impl RequestInFlight {
    /// Ends the request; its last bytes count until they are written to the socket.
    pub(crate) fn end_with(self, reservation: Reservation) {
        self.0.keep_until_sent(reservation);
    }
}

impl Drop for RequestInFlight {
    fn drop(&mut self) {
        let connection = &self.0;
        let idle_since = u64::try_from(connection.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        connection.idle_since.store(idle_since, Ordering::Relaxed);
        connection.is_answering.store(false, Ordering::Relaxed);
        connection.wants_body.store(false, Ordering::Relaxed);
        connection.resume_reading();
    }
}
