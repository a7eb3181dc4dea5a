//! The in-process webhook dispatcher, on its own runtime.

use std::sync::Arc;
use std::time::Duration;

use background::{CancellationToken, Job, Next, Notifier, Worker};
use dispatcher::{Dispatcher, DispatcherOptions};
use domain::ports::{DeliveryQueue, Ports, StoreError};
use storage_diesel::{OnQueued, PgStore};

/// The threads of the runtime. Sending is mostly waiting.
const THREADS: usize = 2;
/// Notifications within this interval are merged.
const ANNOUNCE_INTERVAL: Duration = Duration::from_millis(5);
/// Longer than the dispatcher's own stop timeout.
pub(crate) const STOP_TIMEOUT: Duration = Duration::from_secs(12);

/// Notifies this process's dispatcher and other processes of queued deliveries.
#[derive(Debug, Clone, Default)]
pub(crate) struct DeliveryNotifier {
    pub(crate) local: Notifier,
    others: Notifier,
}

impl DeliveryNotifier {
    /// The callback for the store.
    pub(crate) fn callback(&self) -> OnQueued {
        let notifier = self.clone();
        Arc::new(move || {
            notifier.local.notify();
            notifier.others.notify();
        })
    }

    /// Notifies other processes of queued deliveries. Notifications close together are merged.
    pub(crate) fn announcements(&self, store: &Arc<PgStore>) -> Job {
        let announce = |store: Arc<PgStore>| async move {
            store.notify_queued().await?;
            tokio::time::sleep(ANNOUNCE_INTERVAL).await;
            Ok::<_, StoreError>(Next::Wait)
        };
        Job::with("notifying other processes of queued webhooks", Arc::clone(store), announce).woken_by(&self.others)
    }
}

/// Starts the dispatcher.
pub(crate) fn start(
    ports: &Ports,
    queue: Arc<dyn DeliveryQueue>,
    notifier: &DeliveryNotifier,
    options: DispatcherOptions,
) -> anyhow::Result<Worker> {
    Worker::start("dispatcher", THREADS, || {
        let (clock, random) = (Arc::clone(&ports.clock), Arc::clone(&ports.random));
        let dispatcher = Dispatcher::new(queue, clock, random, &*ports.ids, Arc::clone(&ports.master_keys), options)?;
        let dispatcher = dispatcher.woken_by(&notifier.local);
        anyhow::Ok(move |stop: CancellationToken| dispatcher.clone().run(stop.cancelled_owned()))
    })
}
