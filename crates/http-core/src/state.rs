//! The dependencies of the surfaces.

use std::sync::Arc;

use domain::ports::Ports;

use crate::guards::Guards;
use crate::settings::HttpSettings;

/// The content of `/metrics`.
#[derive(Clone)]
pub struct MetricsPage(Arc<dyn Fn() -> String + Send + Sync>);

impl MetricsPage {
    /// A page that `write` renders on each request.
    pub fn new(write: Arc<dyn Fn() -> String + Send + Sync>) -> Self {
        Self(write)
    }

    pub(crate) fn text(&self) -> String {
        (self.0)()
    }
}

impl Default for MetricsPage {
    /// An empty page, for when no recorder is installed.
    fn default() -> Self {
        Self(Arc::new(String::new))
    }
}

impl std::fmt::Debug for MetricsPage {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("MetricsPage")
    }
}

/// The dependencies of all surfaces.
#[derive(Debug, Clone)]
pub struct AppState {
    pub ports: Arc<Ports>,
    pub settings: HttpSettings,
    pub metrics: MetricsPage,
    pub(crate) guards: Arc<Guards>,
}

impl AppState {
    pub fn new(ports: Arc<Ports>, settings: HttpSettings, metrics: MetricsPage) -> Self {
        let guards = Arc::new(Guards::new(&settings));
        Self { ports, settings, metrics, guards }
    }
}
