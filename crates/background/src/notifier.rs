//! How workers are told that there is something to do.

use std::sync::Arc;

use tokio::sync::Notify;

/// Wakes whoever waits for it. Cheap to clone and to call, from any thread.
#[derive(Debug, Clone, Default)]
pub struct Notifier(Arc<Notify>);

impl Notifier {
    /// Says that there may be something to do. To be called after the commit: before it, there is nothing to be seen.
    pub fn notify(&self) {
        self.0.notify_one();
    }

    /// The same as a function for those who do not know this crate.
    pub fn callback(&self) -> Arc<dyn Fn() + Send + Sync> {
        let notify = Arc::clone(&self.0);
        Arc::new(move || notify.notify_one())
    }

    /// Until the next notification; at once if there was one since the last time.
    pub async fn notified(&self) {
        self.0.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn notifications_that_nobody_heard_count_as_one() {
        let notifier = Notifier::default();
        notifier.notify();
        notifier.callback()();
        notifier.notified().await;
        assert!(tokio::time::timeout(Duration::from_secs(1), notifier.notified()).await.is_err());
    }
}
