//! Log fields that identify a delivery.

use domain::{DeliveryId, SubscriptionId, WorkspaceId};
use telemetry::log_context::Context;

pub(crate) fn of(workspace: WorkspaceId, subscription: SubscriptionId, delivery: DeliveryId) -> Context {
    Context::new([
        ("delivery_id", delivery.0.into()),
        ("subscription_id", subscription.0.into()),
        ("workspace_id", workspace.0.into()),
    ])
}

/// Logs a panic while the log context still has the ids. The task that joins learns only that there was a panic.
pub(crate) struct LogsPanic;

impl Drop for LogsPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            log::error!("a webhook attempt panicked; it will be retried after its lease expires");
        }
    }
}
