//! The e-mail worker of this process, on its own runtime.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use background::{CancellationToken, Notifier, Worker};
use domain::email::ATTEMPT_TIMEOUT;
use domain::ports::{EmailQueue, EmailTransport, Ports};

use crate::worker::MailWorker;

const STOP_TIMEOUT: Duration = Duration::from_secs(8);

#[derive(Debug, Clone, Copy)]
pub struct EmailSenderOptions {
    /// Poll interval, for retries and for e-mails queued by other instances.
    pub poll_interval: Duration,
    /// Total time of one attempt; well below [`LEASE`](domain::email::LEASE).
    pub attempt_timeout: Duration,
    /// How long shutdown waits for e-mails in flight.
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

/// A running worker. Dropping it aborts e-mails in flight; their leases expire.
#[derive(Debug)]
pub struct EmailSender(Worker);

impl EmailSender {
    /// Starts the worker; `queued` wakes it when an e-mail is queued.
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
        started.map(Self).context("cannot start the e-mail worker")
    }

    /// Finishes e-mails in flight and releases the rest.
    pub async fn stop(self) {
        self.0.stop(STOP_TIMEOUT).await;
    }
}
