//! The metrics recorder, and its page in the Prometheus text format.

use std::sync::Arc;
use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Histogram buckets, in seconds. The first ones are for reads of single records, which take a fraction of a millisecond.
const SECONDS: [f64; 15] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// The installed recorder.
#[derive(Clone)]
pub struct Exporter(PrometheusHandle);

/// The recorder cannot be installed.
#[derive(Debug, thiserror::Error)]
#[error("cannot install the metrics recorder, which a process can do only once: {0}")]
pub struct ExporterError(#[from] metrics_exporter_prometheus::BuildError);

impl Exporter {
    /// Installs the recorder, once per process.
    pub fn install() -> Result<Self, ExporterError> {
        let builder =
            PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)?;
        Ok(Self(builder.install_recorder()?))
    }

    /// Renders the page.
    pub fn page(&self) -> Arc<dyn Fn() -> String + Send + Sync> {
        let handle = self.0.clone();
        Arc::new(move || handle.render())
    }

    /// Drains the histograms periodically, which bounds their memory. Runs until dropped.
    pub async fn run_upkeep(self) {
        let mut ticks = tokio::time::interval(UPKEEP_INTERVAL);
        loop {
            ticks.tick().await;
            self.0.run_upkeep();
        }
    }
}

impl std::fmt::Debug for Exporter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Exporter")
    }
}
