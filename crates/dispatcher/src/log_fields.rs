//! Which delivery a line of the log is about.

use domain::{DeliveryId, SubscriptionId, WorkspaceId};
use log_context::Context;

pub(crate) fn of(workspace: WorkspaceId, subscription: SubscriptionId, delivery: DeliveryId) -> Context {
    Context::new([
        ("delivery_id", delivery.0.into()),
        ("subscription_id", subscription.0.into()),
        ("workspace_id", workspace.0.into()),
    ])
}

/// Logs a panic where the ids are still known: whoever waits for the task learns no more than that it ended.
pub(crate) struct LogsPanic;

impl Drop for LogsPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            log::error!("an attempt at a webhook ended in a panic; it is made again after its lease");
        }
    }
}
