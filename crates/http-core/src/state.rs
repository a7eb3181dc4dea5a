//! What the surfaces need from outside.

use std::sync::Arc;

use domain::ports::Ports;

use crate::settings::HttpSettings;

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
