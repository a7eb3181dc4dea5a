//! What an operator, or a test, decides about a dispatcher.

use std::sync::Arc;
use std::time::Duration;

use domain::webhooks::{ATTEMPT_TIMEOUT, TargetPolicy};

use crate::resolver::NameResolver;

/// How a dispatcher works.
#[derive(Clone)]
pub struct DispatcherOptions {
    /// Where deliveries may lead.
    pub targets: TargetPolicy,
    /// The most requests at once in all. Each takes a file descriptor, and as many again may stay open for a few
    /// seconds, to be used again: the default leaves room within the 1,024 that a process commonly has.
    pub requests: usize,
    /// How long one attempt may take in all; never longer than [`ATTEMPT_TIMEOUT`], which leases are made for.
    pub attempt_timeout: Duration,
    /// How long a stop may take.
    pub stop_timeout: Duration,
    /// How often the queue is looked at where no bell rings: other instances queue too.
    pub poll_interval: Duration,
    /// How often failing subscriptions are disabled and old deliveries forgotten.
    pub maintenance_interval: Duration,
    /// What resolves names; the machine's name servers unless given.
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
