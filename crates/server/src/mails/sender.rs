//! The worker of this process, on a runtime of its own beside the requests.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use domain::email::ATTEMPT_WITHIN;
use domain::ports::{MailQueue, MailTransport, Ports};
use storage_diesel::OnQueued;
use tokio::runtime::Runtime;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

use super::worker::Worker;

/// How long the worker may take to stop.
const STOP_WITHIN: Duration = Duration::from_secs(8);

/// What the store rings when it has queued letters.
#[derive(Debug, Clone, Default)]
pub struct MailBell(Arc<Notify>);

impl MailBell {
    /// What the store is to call.
    pub fn pull(&self) -> OnQueued {
        let bell = Arc::clone(&self.0);
        Arc::new(move || bell.notify_one())
    }
}

/// How a worker works.
#[derive(Debug, Clone, Copy)]
pub struct MailSenderOptions {
    /// How often it looks by itself: for letters that are due again, and for those of other instances.
    pub look_every: Duration,
    /// How long one attempt may take in all; well below [`LEASE`](domain::email::LEASE).
    pub attempt_within: Duration,
    /// How long what is under way may take once the end was asked for.
    pub finish_within: Duration,
}

impl Default for MailSenderOptions {
    fn default() -> Self {
        Self {
            look_every: Duration::from_secs(5),
            attempt_within: ATTEMPT_WITHIN.unsigned_abs(),
            finish_within: Duration::from_secs(5),
        }
    }
}

/// A running worker.
#[derive(Debug)]
pub struct MailSender {
    runtime: Runtime,
    stop: oneshot::Sender<()>,
    done: JoinHandle<()>,
}

impl MailSender {
    /// Starts to send what is in the queue.
    ///
    /// # Errors
    /// When there can be no runtime.
    pub fn start(
        ports: &Ports,
        queue: Arc<dyn MailQueue>,
        transport: Arc<dyn MailTransport>,
        bell: &MailBell,
        options: MailSenderOptions,
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
        let done = runtime.spawn(worker.run(Arc::clone(&bell.0), async {
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
            log::warn!("letters under way are due again when their leases are over");
        }
        // Its thread may be in the middle of a hop: nobody waits for it.
        self.runtime.shutdown_background();
    }
}
