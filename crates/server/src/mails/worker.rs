//! Takes letters from the queue, hands them to a transport, and writes down what came of it.
//!
//! No connection to the database is held while a letter is being sent. Each letter is taken under a lease, so that
//! instances work side by side, and so that one that crashes leaves letters which are due again.

use std::sync::Arc;
use std::time::Duration;

use domain::WorkspaceId;
use domain::email::{ClaimedMail, MailClaim, MailRecord, MailVerdict, OPENS_NOT, after_failure};
use domain::kernel::sealing::MasterKeys;
use domain::ports::{Clock, MailError, MailQueue, MailTransport, OutgoingMail, StoreError};
use log_context::Context;
use metrics::{counter, describe_counter};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::sender::MailSenderOptions;

/// How many letters are sent at once.
const AT_ONCE: usize = 4;
/// How often it is tried to write down what came of an attempt; after that the letter is sent again.
const RECORDS: u32 = 20;
const RECORD_AGAIN_AFTER: Duration = Duration::from_secs(1);

const SENT: &str = "service_mail_sent_total";
const RETRIED: &str = "service_mail_retried_total";
const FAILED: &str = "service_mail_failed_total";

/// Says what is counted.
pub(crate) fn describe_metrics() {
    describe_counter!(storage_diesel::MAILS_QUEUED, "Letters that were queued");
    describe_counter!(storage_diesel::MAILS_DROPPED, "Letters that were dropped, since too many waited already");
    describe_counter!(SENT, "Letters that a mail server took, or that were written to files");
    describe_counter!(RETRIED, "Attempts at letters that failed, and are made again");
    describe_counter!(FAILED, "Letters that were given up");
}

/// What a worker works with.
pub(super) struct Worker {
    pub(super) queue: Arc<dyn MailQueue>,
    pub(super) transport: Arc<dyn MailTransport>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) keys: Arc<MasterKeys>,
    pub(super) owner: Uuid,
    pub(super) options: MailSenderOptions,
}

impl Worker {
    /// Sends what is due, again and again, until the end is asked for; gives back then what it could not finish.
    pub(super) async fn run(self: Arc<Self>, bell: Arc<Notify>, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        let mut under_way = JoinSet::new();
        let mut walk = Walk::default();
        loop {
            for mail in self.take(&mut walk, AT_ONCE - under_way.len()).await {
                let worker = Arc::clone(&self);
                let context = Context::new([("mail_id", mail.id.0.into()), ("workspace_id", mail.workspace.0.into())]);
                under_way.spawn(context.scope(async move { worker.attempt(&mail).await }));
            }
            tokio::select! {
                biased;
                () = &mut stop => break,
                Some(_) = under_way.join_next() => {}
                () = bell.notified() => {}
                () = tokio::time::sleep(self.options.look_every) => {}
            }
        }
        let finished =
            tokio::time::timeout(self.options.finish_within, async { while under_way.join_next().await.is_some() {} });
        if finished.await.is_err() {
            log::warn!("letters under way are given back, and may be sent twice");
            under_way.shutdown().await;
        }
        if let Err(error) = self.queue.release_mails(self.owner, self.clock.now()).await {
            log::warn!("letters could not be given back: {error}; they are due again when their leases are over");
        }
    }

    /// Takes what is due, workspace by workspace in turn, so that one with many letters holds up no other.
    async fn take(&self, walk: &mut Walk, free: usize) -> Vec<ClaimedMail> {
        let mut taken = Vec::new();
        while taken.len() < free {
            let room = u32::try_from(free - taken.len()).unwrap_or(u32::MAX);
            let claim = MailClaim {
                owner: self.owner,
                limit: room,
                limit_a_workspace: room,
                after: walk.after,
                now: self.clock.now(),
            };
            match self.queue.claim_mails(&claim).await {
                Ok(claimed) => {
                    walk.is_good_again();
                    let was_whole = walk.after.is_none();
                    walk.after = claimed.last().map(|mail| mail.workspace).filter(|_| claimed.len() == room as usize);
                    taken.extend(claimed);
                    if was_whole {
                        break;
                    }
                }
                Err(error) => {
                    walk.complain(&error);
                    break;
                }
            }
        }
        taken
    }

    async fn attempt(&self, mail: &ClaimedMail) {
        let now = |worker: &Self| worker.clock.now();
        let verdict = match self.send(mail).await {
            Ok(()) => MailVerdict::Sent,
            Err(error) => after_failure(&error, mail.attempts, mail.created_at, now(self)),
        };
        tell(mail, &verdict);
        let (workspace, id) = (mail.workspace, mail.id);
        let record = MailRecord { owner: self.owner, workspace, id, now: now(self), verdict };
        for _ in 0..RECORDS {
            match self.queue.record_mail(&record).await {
                Ok(_) => return,
                Err(error) => log::debug!("what came of the letter {id} could not be written down yet: {error}"),
            }
            tokio::time::sleep(RECORD_AGAIN_AFTER).await;
        }
        log::warn!("what came of the letter {id} could not be written down: it is due again, and may be sent twice");
    }

    async fn send(&self, mail: &ClaimedMail) -> Result<(), MailError> {
        let opened = mail.open(&self.keys).map_err(|error| {
            log::error!("the letter {} cannot be opened: {error}", mail.id);
            // An operator may bring the key back.
            MailError::transient(OPENS_NOT)
        })?;
        let outgoing =
            OutgoingMail { id: mail.id, workspace: mail.workspace, mail: opened, created_at: mail.created_at };
        let within = self.options.attempt_within;
        match tokio::time::timeout(within, self.transport.send(&outgoing)).await {
            Ok(sent) => sent,
            Err(_) => Err(MailError::transient(format!("it was not taken within {} seconds", within.as_secs()))),
        }
    }
}

/// Where the last look came to.
#[derive(Debug, Default)]
struct Walk {
    after: Option<WorkspaceId>,
    complained: bool,
}

impl Walk {
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
fn tell(mail: &ClaimedMail, verdict: &MailVerdict) {
    let (id, workspace) = (mail.id, mail.workspace);
    match verdict {
        MailVerdict::Sent => {
            counter!(SENT).increment(1);
            log::info!("sent the letter {id} of the workspace {workspace}");
        }
        MailVerdict::Retry { at, error } => {
            counter!(RETRIED).increment(1);
            log::warn!("the letter {id} of the workspace {workspace} is tried again at {at}: {error}");
        }
        MailVerdict::Failed { error } => {
            counter!(FAILED).increment(1);
            log::error!("the letter {id} of the workspace {workspace} was given up: {error}");
        }
    }
}
