//! Metrics of connections and jobs.

use std::time::{Duration, Instant};

use diesel::r2d2::HandleEvent;
use diesel::r2d2::event::{AcquireEvent, CheckinEvent, CheckoutEvent, ReleaseEvent, TimeoutEvent};
use domain::ports::StoreError;
use metrics::{
    Counter, Gauge, Histogram, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};

/// Metric: failures to queue events for webhooks.
pub const ENQUEUE_FAILURES: &str = "service_webhook_enqueue_failures_total";
/// Metric: e-mails queued.
pub const EMAILS_QUEUED: &str = "service_emails_queued_total";
/// Metric: link requests dropped because too many were waiting.
pub const LINK_REQUESTS_DROPPED: &str = "service_link_requests_dropped_total";
const CONNECTIONS: &str = "service_db_pool_connections";
const MAX_CONNECTIONS: &str = "service_db_pool_max_connections";
const WAITING: &str = "service_db_pool_waiting";
const WAIT_SECONDS: &str = "service_db_pool_wait_seconds";
const CHECKOUT_SECONDS: &str = "service_db_pool_checkout_seconds";
const REFUSALS: &str = "service_db_pool_refusals_total";
const TIMEOUTS: &str = "service_db_pool_timeouts_total";
const JOB_SECONDS: &str = "service_store_job_seconds";

/// Describes the metrics of all stores in this process to the installed recorder. Call it before connecting stores:
/// they keep handles to the recorder.
pub fn describe_metrics() {
    describe_gauge!(CONNECTIONS, "Open database connections, by pool and state (idle, in_use)");
    describe_gauge!(MAX_CONNECTIONS, "Maximum number of connections of a pool");
    describe_gauge!(WAITING, "Jobs waiting for a permit to use a connection");
    describe_histogram!(WAIT_SECONDS, "Time that jobs waited for a permit to use a connection, in seconds");
    describe_histogram!(CHECKOUT_SECONDS, "Time to get a connection once permitted, including opening one, in seconds");
    describe_counter!(TIMEOUTS, "Jobs that timed out waiting for a connection");
    describe_counter!(REFUSALS, "Jobs refused immediately because too many were waiting for a connection");
    describe_histogram!(JOB_SECONDS, "Duration of database jobs, including getting a connection, in seconds");
    describe_counter!(ENQUEUE_FAILURES, "Failures to queue events for webhooks");
    counter!(ENQUEUE_FAILURES).increment(0);
    crate::engine::replicas::describe();
}

/// The metrics of one pool. Writing them needs no lock and no allocation.
#[derive(Clone)]
pub(crate) struct PoolMetrics {
    idle: Gauge,
    in_use: Gauge,
    waiting: Gauge,
    wait: Histogram,
    checkout: Histogram,
    timeouts: Counter,
    refusals: Counter,
}

impl PoolMetrics {
    pub(crate) fn new(pool: &'static str, max_connections: u32) -> Self {
        gauge!(MAX_CONNECTIONS, "pool" => pool).set(max_connections);
        Self {
            idle: gauge!(CONNECTIONS, "pool" => pool, "state" => "idle"),
            in_use: gauge!(CONNECTIONS, "pool" => pool, "state" => "in_use"),
            waiting: gauge!(WAITING, "pool" => pool),
            wait: histogram!(WAIT_SECONDS, "pool" => pool),
            checkout: histogram!(CHECKOUT_SECONDS, "pool" => pool),
            timeouts: counter!(TIMEOUTS, "pool" => pool),
            refusals: counter!(REFUSALS, "pool" => pool),
        }
    }

    /// Counts a waiting job until the guard is dropped, even if the request is abandoned.
    pub(crate) fn wait(&self) -> Waiting {
        self.waiting.increment(1);
        Waiting(self.waiting.clone())
    }

    pub(crate) fn waited(&self, wait: Duration) {
        self.wait.record(wait);
    }

    pub(crate) fn refused(&self) {
        self.refusals.increment(1);
    }

    pub(crate) fn timed_out(&self) {
        self.timeouts.increment(1);
    }
}

impl std::fmt::Debug for PoolMetrics {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("PoolMetrics")
    }
}

pub(crate) struct Waiting(Gauge);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}

impl HandleEvent for PoolMetrics {
    fn handle_acquire(&self, _: AcquireEvent) {
        self.idle.increment(1);
    }

    fn handle_release(&self, _: ReleaseEvent) {
        self.idle.decrement(1);
    }

    fn handle_checkout(&self, event: CheckoutEvent) {
        self.idle.decrement(1);
        self.in_use.increment(1);
        self.checkout.record(event.duration());
    }

    fn handle_checkin(&self, _: CheckinEvent) {
        self.in_use.decrement(1);
        self.idle.increment(1);
    }

    fn handle_timeout(&self, _: TimeoutEvent) {
        self.timed_out();
    }
}

/// Records the duration and outcome of a job. There are few operations: routes, tools and methods of ports.
pub(crate) fn record_job(operation: &'static str, outcome: &'static str, began: Instant) {
    histogram!(JOB_SECONDS, "operation" => operation, "outcome" => outcome).record(began.elapsed());
    telemetry::traces::record_job(operation, outcome, began);
}

pub(crate) const fn outcome_of<T>(result: &Result<T, StoreError>) -> &'static str {
    match result {
        Ok(_) => "ok",
        Err(StoreError::Unavailable(_)) => "unavailable",
        Err(StoreError::DiskFull(_)) => "disk_full",
        Err(StoreError::Busy) => "busy",
        Err(StoreError::TimedOut) => "timed_out",
        Err(StoreError::Contended) => "contended",
        Err(StoreError::Duplicate { .. }) => "duplicate",
        Err(StoreError::LogBudgetExceeded { .. }) => "log_budget",
        Err(StoreError::AuditBound { .. }) => "audit_bound",
        Err(StoreError::Internal(_)) => "internal",
    }
}

/// The name of the method that contains a closure, such as `claim_emails`. Ports that cross workspaces have no other
/// operation name, and this one costs nothing.
pub(crate) fn port_method<W>() -> &'static str {
    let path = std::any::type_name::<W>().trim_end_matches("::{{closure}}");
    let method = path.rsplit("::").next().unwrap_or(path);
    // Methods of `async_trait` have lifetimes.
    method.split('<').next().unwrap_or(method)
}
