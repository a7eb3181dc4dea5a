//! The dependencies of the surfaces.

use std::sync::Arc;

use domain::ports::{Directory, Ports};

use crate::guards::Guards;
use crate::settings::HttpSettings;

/// Renders the content of `/metrics` on each request.
pub type MetricsPage = Arc<dyn Fn() -> String + Send + Sync>;

/// The dependencies of all surfaces.
#[derive(Clone)]
pub struct AppState {
    pub ports: Arc<Ports>,
    pub settings: HttpSettings,
    pub metrics: MetricsPage,
    /// The directory that readiness checks ping.
    pub probe: Arc<dyn Directory>,
    pub(crate) guards: Arc<Guards>,
}

impl AppState {
    /// `probe` should have its own connections: requests that exhaust those of `ports` must not make a load balancer remove
    /// this instance, and with it all others.
    pub fn new(ports: Arc<Ports>, probe: Arc<dyn Directory>, settings: HttpSettings, metrics: MetricsPage) -> Self {
        let guards = Arc::new(Guards::new(&settings));
        Self { ports, settings, metrics, probe, guards }
    }
}

impl std::fmt::Debug for AppState {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("AppState").field("settings", &self.settings).finish_non_exhaustive()
    }
}
