//! The worker of this process, on a runtime of its own beside the requests.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use domain::email::ATTEMPT_TIMEOUT;
use domain::ports::{EmailQueue, EmailTransport, Ports};
use storage_diesel::OnQueued;
use tokio::runtime::Runtime;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

use super::worker::Worker;

/// How long the worker may take to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(8);

/// What the store rings when it has queued letters.
#[derive(Debug, Clone, Default)]
pub struct EmailNotifier(Arc<Notify>);

impl EmailNotifier {
    /// What the store is to call.
    pub fn on_queued(&self) -> OnQueued {
        let notifier = Arc::clone(&self.0);
        Arc::new(move || notifier.notify_one())
    }
}

/// How a worker works.
#[derive(Debug, Clone, Copy)]
pub struct EmailSenderOptions {
    /// How often it looks by itself: for letters that are due again, and for those of other instances.
    pub poll_interval: Duration,
    /// How long one attempt may take in all; well below [`LEASE`](domain::email::LEASE).
    pub attempt_timeout: Duration,
    /// How long what is under way may take once the end was asked for.
    pub drain_timeout: Duration,
}

impl Default for EmailSenderOptions {
    fn default() -> Self {
        Self {
            poll_interval: Duration::from_secs(5),
            attempt_timeout: ATTEMPT_TIMEOUT.unsigned_abs(),
            drain_timeout: Duration::from_secs(5),
        }
    }
}

/// A running worker.
#[derive(Debug)]
pub struct EmailSender {
    runtime: Runtime,
    stop: oneshot::Sender<()>,
    done: JoinHandle<()>,
}

impl EmailSender {
    /// Starts to send what is in the queue.
    ///
    /// # Errors
    /// When there can be no runtime.
    pub fn start(
        ports: &Ports,
        queue: Arc<dyn EmailQueue>,
        transport: Arc<dyn EmailTransport>,
        notifier: &EmailNotifier,
        options: EmailSenderOptions,
    ) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("mails")
            .enable_all()
            .build()
            .context("no runtime for letters")?;
        let worker = Arc::new(Worker {
            queue,
            transport,
            clock: Arc::clone(&ports.clock),
            keys: Arc::clone(&ports.master_keys),
            owner: ports.ids.new_id(),
            options,
        });
        let (stop, stopped) = oneshot::channel();
        let done = runtime.spawn(worker.run(Arc::clone(&notifier.0), async {
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
            log::warn!("letters under way are due again when their leases are over");
        }
        // Its thread may be in the middle of a hop: nobody waits for it.
        self.runtime.shutdown_background();
    }
}
