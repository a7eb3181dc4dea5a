//! What the parts of a dispatcher work with.

use std::sync::Arc;

use background::Notifier;
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
    /// Tells that something was queued.
    pub(crate) queued: Notifier,
    pub(crate) options: DispatcherOptions,
}

impl Context {
    /// What leases are under.
    pub(crate) fn owner(&self) -> Uuid {
        self.sender.owner
    }
}
