//! `/metrics`: what the service tells about itself, in the form of Prometheus.

use std::sync::Arc;
use std::time::Duration;

use ::metrics::describe_counter;
use anyhow::Context;
use http_core::MetricsPage;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use storage_diesel::{MAILS_DROPPED, MAILS_QUEUED};

use crate::link_requests;

/// Bounds of the times of answers, in seconds.
const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];
/// How often what was noted is put in order.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

/// Takes everything that is told from now on. Once a process.
pub(crate) fn install() -> anyhow::Result<PrometheusHandle> {
    let builder = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS);
    let handle =
        builder.context("the buckets are refused")?.install_recorder().context("metrics were installed before")?;
    limiter::describe_metrics();
    http_core::describe_metrics();
    dispatcher::describe_metrics();
    background::describe_metrics();
    email::describe_metrics();
    describe_counter!(MAILS_QUEUED, "Letters that were queued");
    describe_counter!(MAILS_DROPPED, "Letters that were dropped, since too many waited already");
    link_requests::describe_metrics();
    Ok(handle)
}

/// The page that shows it all.
pub(crate) fn page(handle: PrometheusHandle) -> MetricsPage {
    MetricsPage::new(Arc::new(move || handle.render()))
}

/// Keeps what was noted within bounds, again and again.
pub(crate) async fn keep_up(handle: PrometheusHandle) {
    let mut ticks = tokio::time::interval(UPKEEP_EVERY);
    loop {
        ticks.tick().await;
        handle.run_upkeep();
    }
}
