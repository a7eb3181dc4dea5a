//! Settings of the surfaces.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use domain::limits::Class;

use crate::answers::AnswerLimits;
use crate::client_address::TrustedProxies;

/// Bounds of the surfaces. The defaults are for production; tests shorten them.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// From a request's headers to its response, including the time to receive the body.
    pub deadline: Duration,
    /// Like `deadline`, but for bulk operations.
    pub bulk_deadline: Duration,
    /// How long `/readyz` waits for the store.
    pub ready_deadline: Duration,
    /// How many bytes of a rejected body are discarded before the response is sent, so that the client can read it.
    pub discard_bytes: usize,
    /// How long discarding may take.
    pub discard_deadline: Duration,
    /// How long a connection may stay idle.
    pub keep_alive: Duration,
    /// How long a client may take to send the request headers.
    pub head_timeout: Duration,
    /// How long a client may take to close its connection.
    pub disconnect_timeout: Duration,
    /// Maximum number of open connections, across all workers.
    pub max_connections: usize,
    /// Maximum number of open connections of one IPv4 address or IPv6 /64; trusted proxies are not limited.
    pub connections_per_address: usize,
    /// Maximum number of open connections of one credential; behind a trusted proxy, of its concurrent requests.
    pub connections_per_credential: usize,
    /// How long a client may read nothing while bytes are waiting.
    pub stall_timeout: Duration,
    /// Memory of responses that are being built or sent.
    pub answers: AnswerLimits,
    /// How often an event stream sends at least a heartbeat.
    pub heartbeat: Duration,
    /// The maximum duration of an event stream: clients that reconnect spread over the current instances.
    pub longest_stream: Duration,
    /// Whether `/metrics` is also served with the surfaces.
    pub has_public_metrics: bool,
    /// How long requests in flight may take after a graceful stop, in seconds.
    pub shutdown_seconds: u64,
    /// Proxies whose `X-Forwarded-For` is honoured.
    pub trusted_proxies: TrustedProxies,
    /// Set before shutdown: `/readyz` returns 503, everything else keeps working.
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
            connections_per_address: 256,
            connections_per_credential: 64,
            stall_timeout: Duration::from_secs(10),
            answers: AnswerLimits::default(),
            heartbeat: Duration::from_secs(15),
            longest_stream: Duration::from_hours(1),
            has_public_metrics: false,
            shutdown_seconds: 10,
            trusted_proxies: TrustedProxies::default(),
            draining: Arc::default(),
        }
    }
}
