//! What the surfaces need from outside, and how they are put into an actix application.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};
use domain::limits::Class;
use domain::ports::Ports;

use crate::client_address::TrustedProxies;
use crate::middleware;
use crate::routes::{self, Routes};

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

/// What `/metrics` shows.
#[derive(Clone)]
pub struct MetricsPage(Arc<dyn Fn() -> String + Send + Sync>);

impl MetricsPage {
    /// A page that is written anew each time.
    pub fn new(write: Arc<dyn Fn() -> String + Send + Sync>) -> Self {
        Self(write)
    }

    pub(crate) fn text(&self) -> String {
        (self.0)()
    }
}

impl Default for MetricsPage {
    /// An empty page, where nobody collects.
    fn default() -> Self {
        Self(Arc::new(String::new))
    }
}

impl std::fmt::Debug for MetricsPage {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("MetricsPage")
    }
}

/// Everything that the surfaces work with.
#[derive(Debug, Clone)]
pub struct AppState {
    /// What use cases need.
    pub ports: Arc<Ports>,
    /// Bounds.
    pub settings: HttpSettings,
    /// What the service tells about itself.
    pub metrics: MetricsPage,
}

/// Puts all surfaces into an application. They answer every path, so they go in last.
pub fn configure(config: &mut ServiceConfig, state: AppState, surfaces: &[Routes]) {
    config.app_data(web::Data::new(state));
    // The nameless scope carries the middleware: a `ServiceConfig` cannot.
    let scope = web::scope("").wrap(from_fn(middleware::around));
    config.service(scope.configure(|config| routes::register(config, surfaces)));
}
