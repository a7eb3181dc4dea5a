//! Takes letters from the queue, hands them to a transport, and writes down what came of it.
//!
//! No connection to the database is held while a letter is being sent. Each letter is taken under a lease, so that
//! instances work side by side, and so that one that crashes leaves letters which are due again.

use std::sync::Arc;
use std::time::Duration;

use background::{Backoff, CancellationToken, Notifier, report_panic};
use domain::WorkspaceId;
use domain::email::{CANNOT_DECRYPT, ClaimedEmail, EmailAttemptRecord, EmailClaim, EmailVerdict, after_failure};
use domain::kernel::sealing::MasterKeys;
use domain::ports::{Clock, EmailError, EmailQueue, EmailTransport, OutgoingEmail};
use log_context::Context;
use metrics::{counter, describe_counter};
use tokio::task::{JoinError, JoinSet};
use tokio::time::Instant;
use uuid::Uuid;

use crate::options::EmailSenderOptions;

/// How many letters are sent at once.
const MAX_CONCURRENT_SENDS: usize = 4;
/// How often it is tried to write down what came of an attempt; after that the letter is sent again.
const RECORDS: u32 = 20;
const RECORD_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Until it is tried again to claim letters; doubled each time, up to the poll interval.
const CLAIM_AGAIN_AFTER: Duration = Duration::from_millis(100);

const SENT: &str = "service_emails_sent_total";
const RETRIED: &str = "service_email_retries_total";
const FAILED: &str = "service_emails_failed_total";

/// Says what is counted.
pub fn describe_metrics() {
    describe_counter!(SENT, "Letters that a mail server took, or that were written to files");
    describe_counter!(RETRIED, "Attempts at letters that failed, and are made again");
    describe_counter!(FAILED, "Letters that were given up");
}

/// What a worker works with.
pub(crate) struct MailWorker {
    pub(crate) queue: Arc<dyn EmailQueue>,
    pub(crate) transport: Arc<dyn EmailTransport>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) keys: Arc<MasterKeys>,
    pub(crate) owner: Uuid,
    /// Tells that something was queued.
    pub(crate) queued: Notifier,
    pub(crate) options: EmailSenderOptions,
}

impl MailWorker {
    /// Sends what is due, again and again, until the stop; gives back then what it could not finish.
    pub(crate) async fn run(self: Arc<Self>, stop: CancellationToken) {
        let mut under_way = JoinSet::new();
        let mut claiming = Claiming::new(self.options.poll_interval);
        loop {
            for email in self.take(&mut claiming, MAX_CONCURRENT_SENDS - under_way.len()).await {
                let worker = Arc::clone(&self);
                let context =
                    Context::new([("mail_id", email.id.0.into()), ("workspace_id", email.workspace.0.into())]);
                under_way.spawn(context.scope(async move { worker.attempt(&email).await }));
            }
            let (poll_at, failing_until) = (Instant::now() + self.options.poll_interval, claiming.backoff.until());
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(attempted) = under_way.join_next() => report(attempted),
                () = self.queued.notified(), if failing_until.is_none() => {}
                () = tokio::time::sleep_until(failing_until.unwrap_or(poll_at)) => {}
            }
        }
        self.finish(under_way).await;
    }

    async fn finish(&self, mut under_way: JoinSet<()>) {
        let finishing = async {
            while let Some(attempted) = under_way.join_next().await {
                report(attempted);
            }
        };
        if tokio::time::timeout(self.options.drain_timeout, finishing).await.is_err() {
            log::warn!("letters under way are given back, and may be sent twice");
            under_way.shutdown().await;
        }
        if let Err(error) = self.queue.release_emails(self.owner, self.clock.now()).await {
            log::warn!("letters could not be given back: {error}; they are due again when their leases are over");
        }
    }

    /// Takes what is due, workspace by workspace in turn, so that one with many letters holds up no other.
    async fn take(&self, claiming: &mut Claiming, free: usize) -> Vec<ClaimedEmail> {
        let mut taken = Vec::new();
        while taken.len() < free && claiming.backoff.is_over(Instant::now()) {
            let room = u32::try_from(free - taken.len()).unwrap_or(u32::MAX);
            let claim = EmailClaim {
                owner: self.owner,
                limit: room,
                limit_per_workspace: room,
                after: claiming.after,
                now: self.clock.now(),
            };
            match self.queue.claim_emails(&claim).await {
                Ok(claimed) => {
                    claiming.backoff.succeeded();
                    let was_whole = claiming.after.is_none();
                    claiming.after =
                        claimed.last().map(|email| email.workspace).filter(|_| claimed.len() == room as usize);
                    taken.extend(claimed);
                    if was_whole {
                        break;
                    }
                }
                Err(error) => claiming.backoff.failed(&error, Instant::now()),
            }
        }
        taken
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
        for _ in 0..RECORDS {
            match self.queue.record_email(&record).await {
                Ok(_) => return,
                Err(error) => log::debug!("what came of the letter {id} could not be written down yet: {error}"),
            }
            tokio::time::sleep(RECORD_AGAIN_AFTER).await;
        }
        log::warn!("what came of the letter {id} could not be written down: it is due again, and may be sent twice");
    }

    async fn send(&self, email: &ClaimedEmail) -> Result<(), EmailError> {
        let opened = email.open(&self.keys).map_err(|error| {
            log::error!("the letter {} cannot be opened: {error}", email.id);
            // An operator may bring the key back.
            EmailError::transient(CANNOT_DECRYPT)
        })?;
        let outgoing =
            OutgoingEmail { id: email.id, workspace: email.workspace, email: opened, created_at: email.created_at };
        let within = self.options.attempt_timeout;
        match tokio::time::timeout(within, self.transport.send(&outgoing)).await {
            Ok(sent) => sent,
            Err(_) => Err(EmailError::transient(format!("it was not taken within {} seconds", within.as_secs()))),
        }
    }
}

/// How far the claims have come.
struct Claiming {
    /// The workspace of the last letter, where there may be more behind it.
    after: Option<WorkspaceId>,
    backoff: Backoff,
}

impl Claiming {
    fn new(poll_interval: Duration) -> Self {
        let backoff = Backoff::new("claiming queued e-mail", CLAIM_AGAIN_AFTER.min(poll_interval), poll_interval);
        Self { after: None, backoff }
    }
}

/// An attempt that panicked is made again when its lease is over.
fn report(attempted: Result<(), JoinError>) {
    if let Err(error) = attempted
        && let Ok(panic) = error.try_into_panic()
    {
        report_panic("an attempt at an e-mail", &*panic);
    }
}

/// Without address, subject and text: a log is no place for them.
fn log_verdict(email: &ClaimedEmail, verdict: &EmailVerdict) {
    let (id, workspace) = (email.id, email.workspace);
    match verdict {
        EmailVerdict::Sent => {
            counter!(SENT).increment(1);
            log::info!("sent the letter {id} of the workspace {workspace}");
        }
        EmailVerdict::Retry { at, error } => {
            counter!(RETRIED).increment(1);
            log::warn!("the letter {id} of the workspace {workspace} is tried again at {at}: {error}");
        }
        EmailVerdict::Failed { error } => {
            counter!(FAILED).increment(1);
            log::error!("the letter {id} of the workspace {workspace} was given up: {error}");
        }
    }
}
