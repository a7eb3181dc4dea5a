use std::sync::Arc;
use std::time::Duration;

use domain::webhooks::{ATTEMPT_TIMEOUT, TargetPolicy};

use crate::resolver::NameResolver;

/// The poll interval of queues when other processes cannot notify this one.
pub const POLL_INTERVAL_WITHOUT_NOTIFY: Duration = Duration::from_millis(250);

#[derive(Clone)]
pub struct DispatcherOptions {
    /// Which targets are allowed.
    pub targets: TargetPolicy,
    /// The maximum number of concurrent requests. Each uses a file descriptor, and as many idle connections may stay open
    /// for a few seconds. The default fits the common limit of 1,024 descriptors per process.
    pub requests: usize,
    /// The total time of one attempt, at most [`ATTEMPT_TIMEOUT`], for which leases are sized.
    pub attempt_timeout: Duration,
    pub stop_timeout: Duration,
    /// How often the queue is polled in case a notification is missed.
    pub poll_interval: Duration,
    /// How often failing subscriptions are disabled and old deliveries pruned.
    pub maintenance_interval: Duration,
    /// Resolves host names; the system's name servers by default.
    pub names: Option<Arc<dyn NameResolver>>,
}

impl Default for DispatcherOptions {
    fn default() -> Self {
        Self {
            targets: TargetPolicy::default(),
            requests: 400,
            attempt_timeout: ATTEMPT_TIMEOUT.unsigned_abs(),
            stop_timeout: Duration::from_secs(10),
            poll_interval: Duration::from_secs(1),
            maintenance_interval: Duration::from_mins(5),
            names: None,
        }
    }
}

impl std::fmt::Debug for DispatcherOptions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("DispatcherOptions")
            .field("targets", &self.targets)
            .field("requests", &self.requests)
            .field("attempt_timeout", &self.attempt_timeout)
            .finish_non_exhaustive()
    }
}
