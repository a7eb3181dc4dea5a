use std::sync::Arc;
use std::time::Duration;

use domain::webhooks::{ATTEMPT_TIMEOUT, TargetPolicy};

use crate::resolver::NameResolver;

/// How often queues are looked at where other processes cannot tell this one of changes.
pub const UNTOLD_POLL_INTERVAL: Duration = Duration::from_millis(250);

#[derive(Clone)]
pub struct DispatcherOptions {
    /// Which targets are allowed.
    pub targets: TargetPolicy,
    /// Maximum number of concurrent requests. Each uses a file descriptor, and as many idle connections may stay open
    /// for a few seconds: the default fits the common limit of 1,024 per process.
    pub requests: usize,
    /// Total time of one attempt; capped at [`ATTEMPT_TIMEOUT`], for which leases are sized.
    pub attempt_timeout: Duration,
    pub stop_timeout: Duration,
    /// Poll interval of the queue, the fallback if no notification arrives.
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
