//! Webhooks delivered by this process, on a runtime of their own beside the requests.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::Context;
use dispatcher::{Bell, Dispatcher, DispatcherOptions};
use domain::ports::{DeliveryQueue, Ports};
use storage_diesel::{OnQueued, PgStore, QueueNews};
use tokio::runtime::Runtime;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

/// Threads of the runtime; sending is mostly waiting.
const THREADS: usize = 2;
/// How long news are gathered before others are told again.
const TELL_EVERY: Duration = Duration::from_millis(5);
/// Beyond what the dispatcher itself takes to stop.
const STOP_WITHIN: Duration = Duration::from_secs(12);

/// What the store pulls when it has queued something: the bell of this process' dispatcher, once there is one, and the
/// word to other processes.
#[derive(Debug, Clone, Default)]
pub struct BellRope(Arc<Ends>);

#[derive(Debug, Default)]
struct Ends {
    bell: OnceLock<Bell>,
    others: Notify,
}

impl BellRope {
    /// What the store is to call.
    pub fn pull(&self) -> OnQueued {
        let ends = Arc::clone(&self.0);
        Arc::new(move || {
            ends.ring();
            ends.others.notify_one();
        })
    }

    /// Listens to what other processes queue, until the answer is dropped.
    pub(crate) fn listen(&self, database_url: &str) -> QueueNews {
        let ends = Arc::clone(&self.0);
        QueueNews::listen(database_url, Arc::new(move || ends.ring()))
    }

    /// Tells other processes of what this one queues, again and again; what comes close together is told once.
    pub(crate) async fn keep_telling(self, store: Arc<PgStore>) {
        loop {
            self.0.others.notified().await;
            if let Err(error) = store.announce_queued().await {
                log::debug!("others look by themselves: {error}");
            }
            tokio::time::sleep(TELL_EVERY).await;
        }
    }
}

impl Ends {
    fn ring(&self) {
        if let Some(bell) = self.bell.get() {
            bell.ring();
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
        rope: &BellRope,
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
        let _ = rope.0.bell.set(dispatcher.bell());
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
        if tokio::time::timeout(STOP_WITHIN, self.done).await.is_err() {
            log::warn!("webhooks under way were left to others");
        }
        // Its threads may be in the middle of a hop: nobody waits for those.
        self.runtime.shutdown_background();
    }
}
