//! Webhooks delivered by this process, on a runtime of their own beside the requests.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::Context;
use dispatcher::{Dispatcher, DispatcherOptions, DispatcherWaker};
use domain::ports::{DeliveryQueue, Ports};
use storage_diesel::{NotifyListener, OnQueued, PgStore};
use tokio::runtime::Runtime;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

/// Threads of the runtime; sending is mostly waiting.
const THREADS: usize = 2;
/// How long news are gathered before others are told again.
const COALESCE_INTERVAL: Duration = Duration::from_millis(5);
/// Beyond what the dispatcher itself takes to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(12);

/// What the store pulls when it has queued something: the bell of this process' dispatcher, once there is one, and the
/// word to other processes.
#[derive(Debug, Clone, Default)]
pub struct DeliveryNotifier(Arc<Listeners>);

#[derive(Debug, Default)]
struct Listeners {
    waker: OnceLock<DispatcherWaker>,
    others: Notify,
}

impl DeliveryNotifier {
    /// What the store is to call.
    pub fn on_queued(&self) -> OnQueued {
        let listeners = Arc::clone(&self.0);
        Arc::new(move || {
            listeners.wake();
            listeners.others.notify_one();
        })
    }

    /// Listens to what other processes queue, until the answer is dropped.
    pub(crate) fn listen(&self, database_url: &str) -> NotifyListener {
        let listeners = Arc::clone(&self.0);
        NotifyListener::listen(database_url, Arc::new(move || listeners.wake()))
    }

    /// Tells other processes of what this one queues, again and again; what comes close together is told once.
    pub(crate) async fn run_forwarding(self, store: Arc<PgStore>) {
        loop {
            self.0.others.notified().await;
            if let Err(error) = store.notify_queued().await {
                log::debug!("others look by themselves: {error}");
            }
            tokio::time::sleep(COALESCE_INTERVAL).await;
        }
    }
}

impl Listeners {
    fn wake(&self) {
        if let Some(waker) = self.waker.get() {
            waker.wake();
        }
    }
}

/// A running dispatcher.
#[derive(Debug)]
pub struct Deliveries {
    runtime: Runtime,
    stop: oneshot::Sender<()>,
    done: JoinHandle<()>,
}

impl Deliveries {
    /// Starts to deliver what is in the queue.
    ///
    /// # Errors
    /// When there can be no runtime, or no dispatcher.
    pub fn start(
        ports: &Ports,
        queue: Arc<dyn DeliveryQueue>,
        delivery_notifier: &DeliveryNotifier,
        options: DispatcherOptions,
    ) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("dispatcher")
            .enable_all()
            .build()
            .context("no runtime for webhooks")?;
        let dispatcher = {
            // Entered, not blocked on: the service starts it from within the runtime of its requests.
            let _entered = runtime.enter();
            let (clock, random) = (Arc::clone(&ports.clock), Arc::clone(&ports.random));
            Dispatcher::new(queue, clock, random, &*ports.ids, Arc::clone(&ports.master_keys), options)
        };
        let dispatcher = match dispatcher {
            Ok(dispatcher) => dispatcher,
            Err(error) => {
                // Dropped here, the runtime would wait for its threads, which is not allowed within another one.
                runtime.shutdown_background();
                return Err(anyhow::Error::new(error).context("webhooks cannot be delivered"));
            }
        };
        // Hung up once: a process has one dispatcher.
        let _ = delivery_notifier.0.waker.set(dispatcher.waker());
        let (stop, stopped) = oneshot::channel();
        let done = runtime.spawn(dispatcher.run(async {
            // A sender that is gone says the same as one that was used.
            let _ = stopped.await;
        }));
        Ok(Self { runtime, stop, done })
    }

    /// Ends at once, as a crash would: what is under way ends with it, and its leases run out.
    pub fn crash(self) {
        self.done.abort();
        self.runtime.shutdown_background();
    }

    /// Ends what is under way, and gives the rest back.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        if tokio::time::timeout(STOP_TIMEOUT, self.done).await.is_err() {
            log::warn!("webhooks under way were left to others");
        }
        // Its threads may be in the middle of a hop: nobody waits for those.
        self.runtime.shutdown_background();
    }
}
