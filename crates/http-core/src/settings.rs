//! Bounds of the surfaces.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use domain::limits::Class;

use crate::client_address::TrustedProxies;

/// Bounds of the surfaces, with the product's values as defaults; tests shorten them.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// From a request's head to its answer, its body's arrival included.
    pub deadline: Duration,
    /// The same for bulk operations.
    pub bulk_deadline: Duration,
    /// How long `/readyz` waits for the store.
    pub ready_deadline: Duration,
    /// How many bytes of a refused body are read before the answer goes out, so that the client gets to read it.
    pub discard_bytes: usize,
    /// How long that may take.
    pub discard_deadline: Duration,
    /// How long a connection may stay idle.
    pub keep_alive: Duration,
    /// How long a client may take for a request's head.
    pub head_timeout: Duration,
    /// How long a client may take to close.
    pub disconnect_timeout: Duration,
    /// The most connections that are open at once, over all workers.
    pub max_connections: usize,
    /// How long what runs may go on after a graceful stop, in seconds.
    pub shutdown_seconds: u64,
    /// Proxies whose word about the client's address counts.
    pub trusted_proxies: TrustedProxies,
    /// Set while the server is on its way out: `/readyz` turns 503, everything else goes on.
    pub draining: Arc<AtomicBool>,
}

impl HttpSettings {
    /// How long a request of a class may take.
    pub const fn deadline_of(&self, class: Class) -> Duration {
        if matches!(class, Class::Bulk) { self.bulk_deadline } else { self.deadline }
    }
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(10),
            bulk_deadline: Duration::from_secs(30),
            ready_deadline: Duration::from_secs(1),
            discard_bytes: 16 * 1024 * 1024,
            discard_deadline: Duration::from_secs(5),
            keep_alive: Duration::from_secs(75),
            head_timeout: Duration::from_secs(10),
            disconnect_timeout: Duration::from_secs(5),
            max_connections: 8_192,
            shutdown_seconds: 10,
            trusted_proxies: TrustedProxies::default(),
            draining: Arc::default(),
        }
    }
}
