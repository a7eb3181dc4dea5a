//! Claims e-mails from the queue, passes them to a transport, and records the outcome.
//!
//! No database connection is held while an e-mail is being sent. Each e-mail is claimed under a lease, so that several
//! instances can share the queue and the e-mails of a crashed one become due again.

use std::sync::Arc;
use std::time::Duration;

use background::{Backoff, CancellationToken, Notifier, report_panic};
use domain::WorkspaceId;
use domain::email::{CANNOT_DECRYPT, ClaimedEmail, EmailAttemptRecord, EmailClaim, EmailVerdict, after_failure};
use domain::kernel::sealing::MasterKeys;
use domain::ports::{Clock, EmailError, EmailQueue, EmailTransport, OutgoingEmail};
use metrics::{counter, describe_counter};
use telemetry::log_context::Context;
use tokio::task::{JoinError, JoinSet};
use tokio::time::Instant;
use uuid::Uuid;

use crate::sender::EmailSenderOptions;

/// Maximum e-mails sent concurrently.
const MAX_CONCURRENT_SENDS: usize = 4;
/// How many times recording an outcome is attempted. After that, the e-mail is sent again.
const MAX_RECORD_ATTEMPTS: u32 = 20;
const RECORD_RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// The first pause after a failed claim. It doubles each time, up to the poll interval.
const FIRST_CLAIM_PAUSE: Duration = Duration::from_millis(100);

const SENT: &str = "service_emails_sent_total";
const RETRIED: &str = "service_email_retries_total";
const FAILED: &str = "service_emails_failed_total";

pub fn describe_metrics() {
    describe_counter!(SENT, "E-mails accepted by the mail server or written to files");
    describe_counter!(RETRIED, "Failed attempts that will be retried");
    describe_counter!(FAILED, "E-mails that failed permanently");
    for counted in [SENT, RETRIED, FAILED] {
        counter!(counted).increment(0);
    }
}

pub(crate) struct MailWorker {
    pub(crate) queue: Arc<dyn EmailQueue>,
    pub(crate) transport: Arc<dyn EmailTransport>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) keys: Arc<MasterKeys>,
    pub(crate) owner: Uuid,
    /// Notified when an e-mail is queued.
    pub(crate) queued: Notifier,
    pub(crate) options: EmailSenderOptions,
}

impl MailWorker {
    /// Sends due e-mails until `stop` is cancelled; then releases what it could not finish.
    pub(crate) async fn run(self: Arc<Self>, stop: CancellationToken) {
        let mut in_flight = JoinSet::new();
        let mut claiming = Claiming::new(self.options.poll_interval);
        loop {
            for email in self.take(&mut claiming, MAX_CONCURRENT_SENDS - in_flight.len()).await {
                let worker = Arc::clone(&self);
                let context =
                    Context::new([("mail_id", email.id.0.into()), ("workspace_id", email.workspace.0.into())]);
                in_flight.spawn(context.scope(async move { worker.attempt(&email).await }));
            }
            let (poll_at, failing_until) = (Instant::now() + self.options.poll_interval, claiming.backoff.until());
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(attempted) = in_flight.join_next() => report(attempted),
                () = self.queued.notified(), if failing_until.is_none() => {}
                () = tokio::time::sleep_until(failing_until.unwrap_or(poll_at)) => {}
            }
        }
        self.finish(in_flight).await;
    }

    async fn finish(&self, mut in_flight: JoinSet<()>) {
        let finishing = async {
            while let Some(attempted) = in_flight.join_next().await {
                report(attempted);
            }
        };
        if tokio::time::timeout(self.options.drain_timeout, finishing).await.is_err() {
            log::warn!("releasing e-mails in flight; they may be sent twice");
            in_flight.shutdown().await;
        }
        if let Err(error) = self.queue.release_emails(self.owner, self.clock.now()).await {
            log::warn!("could not release e-mails: {error}; they become due again when their leases expire");
        }
    }

    /// Claims due e-mails, taking workspaces in turn, so that one with many e-mails does not block others.
    async fn take(&self, claiming: &mut Claiming, free: usize) -> Vec<ClaimedEmail> {
        let mut claimed = Vec::new();
        while claimed.len() < free && claiming.backoff.is_over(Instant::now()) {
            let room = u32::try_from(free - claimed.len()).unwrap_or(u32::MAX);
            let claim = EmailClaim {
                owner: self.owner,
                limit: room,
                limit_per_workspace: room,
                after: claiming.after,
                now: self.clock.now(),
            };
            match self.queue.claim_emails(&claim).await {
                Ok(batch) => {
                    claiming.backoff.succeeded();
                    let was_whole = claiming.after.is_none();
                    claiming.after = batch.last().map(|email| email.workspace).filter(|_| batch.len() == room as usize);
                    claimed.extend(batch);
                    if was_whole {
                        break;
                    }
                }
                Err(error) => claiming.backoff.failed(&error, Instant::now()),
            }
        }
        claimed
    }

    async fn attempt(&self, email: &ClaimedEmail) {
        let now = |worker: &Self| worker.clock.now();
        let verdict = match self.send(email).await {
            Ok(()) => EmailVerdict::Sent,
            Err(error) => after_failure(&error, email.attempts, email.created_at, now(self)),
        };
        log_verdict(email, &verdict);
        let (workspace, id) = (email.workspace, email.id);
        let record = EmailAttemptRecord { owner: self.owner, workspace, id, now: now(self), verdict };
        for _ in 0..MAX_RECORD_ATTEMPTS {
            match self.queue.record_email(&record).await {
                Ok(_) => return,
                Err(error) => log::debug!("could not record the outcome of e-mail {id}: {error}; retrying"),
            }
            tokio::time::sleep(RECORD_RETRY_INTERVAL).await;
        }
        log::warn!("could not record the outcome of e-mail {id}; it will be claimed again and may be sent twice");
    }

    async fn send(&self, email: &ClaimedEmail) -> Result<(), EmailError> {
        let opened = email.open(&self.keys).map_err(|error| {
            log::error!("could not decrypt e-mail {}: {error}", email.id);
            // The operator may restore the key.
            EmailError::transient(CANNOT_DECRYPT)
        })?;
        let outgoing =
            OutgoingEmail { id: email.id, workspace: email.workspace, email: opened, created_at: email.created_at };
        let within = self.options.attempt_timeout;
        match tokio::time::timeout(within, self.transport.send(&outgoing)).await {
            Ok(sent) => sent,
            Err(_) => Err(EmailError::transient(format!("it was not accepted within {} seconds", within.as_secs()))),
        }
    }
}

struct Claiming {
    /// The workspace of the last claimed e-mail, if more may follow it.
    after: Option<WorkspaceId>,
    backoff: Backoff,
}

impl Claiming {
    fn new(poll_interval: Duration) -> Self {
        let backoff = Backoff::new("claiming queued e-mail", FIRST_CLAIM_PAUSE.min(poll_interval), poll_interval);
        Self { after: None, backoff }
    }
}

/// An attempt that panicked is retried when its lease expires.
fn report(attempted: Result<(), JoinError>) {
    if let Err(error) = attempted
        && let Ok(panic) = error.try_into_panic()
    {
        report_panic("an attempt at an e-mail", &*panic);
    }
}

/// Address, subject and body stay out of the log.
fn log_verdict(email: &ClaimedEmail, verdict: &EmailVerdict) {
    let (id, workspace) = (email.id, email.workspace);
    match verdict {
        EmailVerdict::Sent => {
            counter!(SENT).increment(1);
            log::info!("sent e-mail {id} (workspace {workspace})");
        }
        EmailVerdict::Retry { at, error } => {
            counter!(RETRIED).increment(1);
            log::warn!("e-mail {id} (workspace {workspace}) failed, retrying at {at}: {error}");
        }
        EmailVerdict::Failed { error } => {
            counter!(FAILED).increment(1);
            log::error!("giving up on e-mail {id} (workspace {workspace}): {error}");
        }
    }
}
