//! How the dispatcher is told that something was queued.

use std::sync::Arc;

use tokio::sync::Notify;

/// Wakes a dispatcher of the same process. Cheap to clone and to ring; rings that nobody has heard yet count as one.
#[derive(Debug, Clone, Default)]
pub struct DispatcherWaker(Arc<Notify>);

impl DispatcherWaker {
    /// Says that something may be due. To be called after the commit: before it, there is nothing to be seen.
    pub fn wake(&self) {
        self.0.notify_one();
    }

    /// Until it rings; at once if it rang since the last time.
    pub(crate) async fn woken(&self) {
        self.0.notified().await;
    }
}
