//! Takes letters from the queue, hands them to a transport, and writes down what came of it.
//!
//! No connection to the database is held while a letter is being sent. Each letter is taken under a lease, so that
//! instances work side by side, and so that one that crashes leaves letters which are due again.

use std::sync::Arc;
use std::time::Duration;

use domain::WorkspaceId;
use domain::email::{CANNOT_DECRYPT, ClaimedEmail, EmailAttemptRecord, EmailClaim, EmailVerdict, after_failure};
use domain::kernel::sealing::MasterKeys;
use domain::ports::{Clock, EmailError, EmailQueue, EmailTransport, OutgoingEmail, StoreError};
use metrics::{counter, describe_counter};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::sender::EmailSenderOptions;

/// How many letters are sent at once.
const MAX_CONCURRENT_SENDS: usize = 4;
/// How often it is tried to write down what came of an attempt; after that the letter is sent again.
const RECORDS: u32 = 20;
const RECORD_AGAIN_AFTER: Duration = Duration::from_secs(1);

const SENT: &str = "service_mail_sent_total";
const RETRIED: &str = "service_mail_retried_total";
const FAILED: &str = "service_mail_failed_total";

/// Says what is counted.
pub(crate) fn describe_metrics() {
    describe_counter!(storage_diesel::EMAILS_QUEUED, "Letters that were queued");
    describe_counter!(storage_diesel::EMAILS_DROPPED, "Letters that were dropped, since too many waited already");
    describe_counter!(SENT, "Letters that a mail server took, or that were written to files");
    describe_counter!(RETRIED, "Attempts at letters that failed, and are made again");
    describe_counter!(FAILED, "Letters that were given up");
}

/// What a worker works with.
pub(super) struct Worker {
    pub(super) queue: Arc<dyn EmailQueue>,
    pub(super) transport: Arc<dyn EmailTransport>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) keys: Arc<MasterKeys>,
    pub(super) owner: Uuid,
    pub(super) options: EmailSenderOptions,
}

impl Worker {
    /// Sends what is due, again and again, until the end is asked for; gives back then what it could not finish.
    pub(super) async fn run(self: Arc<Self>, notifier: Arc<Notify>, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        let mut under_way = JoinSet::new();
        let mut cursor = ClaimCursor::default();
        loop {
            for email in self.take(&mut cursor, MAX_CONCURRENT_SENDS - under_way.len()).await {
                let worker = Arc::clone(&self);
                under_way.spawn(async move { worker.attempt(&email).await });
            }
            tokio::select! {
                biased;
                () = &mut stop => break,
                Some(_) = under_way.join_next() => {}
                () = notifier.notified() => {}
                () = tokio::time::sleep(self.options.poll_interval) => {}
            }
        }
        let finished =
            tokio::time::timeout(self.options.drain_timeout, async { while under_way.join_next().await.is_some() {} });
        if finished.await.is_err() {
            log::warn!("letters under way are given back, and may be sent twice");
            under_way.shutdown().await;
        }
        if let Err(error) = self.queue.release_emails(self.owner, self.clock.now()).await {
            log::warn!("letters could not be given back: {error}; they are due again when their leases are over");
        }
    }

    /// Takes what is due, workspace by workspace in turn, so that one with many letters holds up no other.
    async fn take(&self, cursor: &mut ClaimCursor, free: usize) -> Vec<ClaimedEmail> {
        let mut taken = Vec::new();
        while taken.len() < free {
            let room = u32::try_from(free - taken.len()).unwrap_or(u32::MAX);
            let claim = EmailClaim {
                owner: self.owner,
                limit: room,
                limit_per_workspace: room,
                after: cursor.after,
                now: self.clock.now(),
            };
            match self.queue.claim_emails(&claim).await {
                Ok(claimed) => {
                    cursor.is_good_again();
                    let was_whole = cursor.after.is_none();
                    cursor.after =
                        claimed.last().map(|email| email.workspace).filter(|_| claimed.len() == room as usize);
                    taken.extend(claimed);
                    if was_whole {
                        break;
                    }
                }
                Err(error) => {
                    cursor.complain(&error);
                    break;
                }
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

/// Where the last look came to.
#[derive(Debug, Default)]
struct ClaimCursor {
    after: Option<WorkspaceId>,
    complained: bool,
}

impl ClaimCursor {
    fn is_good_again(&mut self) {
        if std::mem::take(&mut self.complained) {
            log::info!("letters are taken from the queue again");
        }
    }

    /// Once is enough: the look goes on.
    fn complain(&mut self, error: &StoreError) {
        if !std::mem::replace(&mut self.complained, true) {
            log::warn!("no letters can be taken from the queue for now: {error}");
        }
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
