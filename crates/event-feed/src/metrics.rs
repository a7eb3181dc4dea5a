//! Metrics of followers.

use std::time::Duration;

const FOLLOWERS: &str = "service_event_followers";
const LAG: &str = "service_event_follow_lag_seconds";
const READS: &str = "service_event_follower_reads_total";
const KEPT: &str = "service_event_ring_bytes";

/// Describes the metrics to the installed recorder.
pub fn describe_metrics() {
    metrics::describe_gauge!(FOLLOWERS, "Followers of the event log: streams and waiting requests");
    metrics::describe_histogram!(
        LAG,
        metrics::Unit::Seconds,
        "Time from a change until its event reaches the followers of its workspace, in seconds"
    );
    metrics::describe_counter!(
        READS,
        "Reads by followers, by source of the events: memory, or the database for followers that are further behind"
    );
    for from in ["memory", "database"] {
        metrics::counter!(READS, "from" => from).increment(0);
    }
    metrics::describe_gauge!(KEPT, "Bytes of the newest events kept in memory for followers");
}

pub(crate) fn joined() {
    metrics::gauge!(FOLLOWERS).increment(1);
}

pub(crate) fn left() {
    metrics::gauge!(FOLLOWERS).decrement(1);
}

pub(crate) fn delivered(lag: Duration) {
    metrics::histogram!(LAG).record(lag);
}

pub(crate) fn read(from: &'static str) {
    metrics::counter!(READS, "from" => from).increment(1);
}

pub(crate) fn kept(bytes: usize) {
    // A gauge has 53 bits, far more than any memory.
    #[expect(clippy::cast_precision_loss, reason = "no machine has 2^53 bytes")]
    metrics::gauge!(KEPT).set(bytes as f64);
}
