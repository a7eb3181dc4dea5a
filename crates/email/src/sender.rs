//! The worker of this process, on a runtime of its own beside the requests.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use background::{CancellationToken, Notifier, Worker};
use domain::ports::{EmailQueue, EmailTransport, Ports};

use crate::options::EmailSenderOptions;
use crate::worker::MailWorker;

/// How long the worker may take to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(8);

/// A running worker. Where it is dropped, what is under way ends with it, and its leases run out.
#[derive(Debug)]
pub struct EmailSender(Worker);

impl EmailSender {
    /// Starts to send what is in the queue; `queued` tells of more.
    ///
    /// # Errors
    /// When there can be no runtime.
    pub fn start(
        ports: &Ports,
        queue: Arc<dyn EmailQueue>,
        transport: Arc<dyn EmailTransport>,
        queued: &Notifier,
        options: EmailSenderOptions,
    ) -> anyhow::Result<Self> {
        let worker = Arc::new(MailWorker {
            queue,
            transport,
            clock: Arc::clone(&ports.clock),
            keys: Arc::clone(&ports.master_keys),
            owner: ports.ids.new_id(),
            queued: queued.clone(),
            options,
        });
        let run = move |stop: CancellationToken| Arc::clone(&worker).run(stop);
        let started = Worker::start("emails", 1, || Ok::<_, std::io::Error>(run));
        started.map(Self).context("no runtime for e-mail")
    }

    /// Ends at once, as a crash would: what is under way ends with it, and its leases run out.
    pub fn crash(self) {
        self.0.crash();
    }

    /// Ends what is under way, and gives the rest back.
    pub async fn stop(self) {
        self.0.stop(STOP_TIMEOUT).await;
    }
}
