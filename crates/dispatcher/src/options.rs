//! What an operator, or a test, decides about a dispatcher.

use std::sync::Arc;
use std::time::Duration;

use domain::webhooks::{ATTEMPT_WITHIN, TargetPolicy};

use crate::names::Names;

/// How a dispatcher works.
#[derive(Clone)]
pub struct DispatcherOptions {
    /// Where deliveries may lead.
    pub targets: TargetPolicy,
    /// The most requests at once in all. Each takes a file descriptor, and as many again may stay open for a few
    /// seconds, to be used again: the default leaves room within the 1,024 that a process commonly has.
    pub requests: usize,
    /// How long one attempt may take in all; never longer than [`ATTEMPT_WITHIN`], which leases are made for.
    pub attempt_within: Duration,
    /// How long a stop may take.
    pub stop_within: Duration,
    /// How often the queue is looked at where no bell rings: other instances queue too.
    pub look_every: Duration,
    /// How often failing subscriptions are disabled and old deliveries forgotten.
    pub chores_every: Duration,
    /// What resolves names; the machine's name servers unless given.
    pub names: Option<Arc<dyn Names>>,
}

impl Default for DispatcherOptions {
    fn default() -> Self {
        Self {
            targets: TargetPolicy::default(),
            requests: 400,
            attempt_within: ATTEMPT_WITHIN.unsigned_abs(),
            stop_within: Duration::from_secs(10),
            look_every: Duration::from_secs(1),
            chores_every: Duration::from_mins(5),
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
            .field("attempt_within", &self.attempt_within)
            .finish_non_exhaustive()
    }
}
