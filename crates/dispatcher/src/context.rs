//! What all parts of a dispatcher share.

use std::sync::Arc;
use std::time::Duration;

use background::{Backoff, Notifier};
use domain::ports::{Clock, DeliveryQueue};
use uuid::Uuid;

use crate::options::DispatcherOptions;
use crate::send::Sender;

/// Cheap to clone.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) queue: Arc<dyn DeliveryQueue>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) sender: Arc<Sender>,
    /// Notified when a delivery is queued.
    pub(crate) queued: Notifier,
    pub(crate) options: DispatcherOptions,
}

impl Context {
    /// The owner of this dispatcher's leases.
    pub(crate) fn owner(&self) -> Uuid {
        self.sender.owner
    }
}

/// Backoff after failed store calls; `what` names the call in logs.
pub(crate) fn store_backoff(what: &'static str) -> Backoff {
    Backoff::new(what, Duration::from_millis(50), Duration::from_secs(5))
}
