//! Notifications that wake background workers.

use std::sync::Arc;

use tokio::sync::Notify;

/// Wakes the task that waits for it. It is cheap to clone and can be called from any thread.
#[derive(Debug, Clone, Default)]
pub struct Notifier(Arc<Notify>);

impl Notifier {
    /// Signals that there may be work. Call it after the commit, because the work is not visible before.
    pub fn notify(&self) {
        self.0.notify_one();
    }

    /// `notify` as a function, for callers that do not depend on this crate.
    pub fn callback(&self) -> Arc<dyn Fn() + Send + Sync> {
        let notify = Arc::clone(&self.0);
        Arc::new(move || notify.notify_one())
    }

    /// Waits for the next notification; returns at once if there was one since the last call.
    pub async fn notified(&self) {
        self.0.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn pending_notifications_are_merged() {
        let notifier = Notifier::default();
        notifier.notify();
        notifier.callback()();
        notifier.notified().await;
        assert!(tokio::time::timeout(Duration::from_secs(1), notifier.notified()).await.is_err());
    }
}
