//! State shared by all parts of a dispatcher.

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
