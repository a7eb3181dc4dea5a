//! The queue of letters.

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use super::MemoryStore;
use super::state::{MemoryTx, Records, State, WaitingMail};
use crate::mails::{ClaimedMail, LEASE, MailClaim, MailRecord, MailVerdict, QueuedMail};
use crate::ports::{MailQueue, MailQueueRepo, StoreError};

impl Records {
    /// Queues a letter where there is room.
    pub(super) fn queue_mail(&mut self, mail: &QueuedMail) {
        if self.mails.values().filter(|other| other.due_at.is_some()).count() < mail.room as usize {
            let mail = WaitingMail::of(mail);
            self.mails.insert(mail.mail.id, mail);
        }
    }
}

impl WaitingMail {
    fn of(mail: &QueuedMail) -> Self {
        Self { mail: mail.clone(), due_at: Some(mail.created_at), owner: None, attempts: 0, over_at: None }
    }
}

impl MailQueueRepo for MemoryTx<'_> {
    fn enqueue(&mut self, mail: &QueuedMail) -> Result<(), StoreError> {
        if mail.workspace != self.workspace {
            return Err(StoreError::Internal("a letter is sealed for another workspace".to_owned()));
        }
        self.records.queue_mail(mail);
        Ok(())
    }
}

#[async_trait]
impl MailQueue for MemoryStore {
    async fn claim_mails(&self, claim: &MailClaim) -> Result<Vec<ClaimedMail>, StoreError> {
        Ok(self.with(|state| claim_in(state, claim)))
    }

    async fn record_mail(&self, record: &MailRecord) -> Result<bool, StoreError> {
        Ok(self.with(|state| {
            let records = state.records.get_mut(&record.workspace);
            let mail = records.and_then(|records| records.mails.get_mut(&record.id));
            let Some(mail) = mail.filter(|mail| mail.owner == Some(record.owner)) else {
                return false;
            };
            mail.owner = None;
            mail.attempts += 1;
            if let MailVerdict::Retry { at, .. } = record.verdict {
                mail.due_at = Some(at);
            } else {
                (mail.due_at, mail.over_at) = (None, Some(record.now));
                mail.mail.text.sealed.clear();
            }
            true
        }))
    }

    async fn release_mails(&self, owner: Uuid, now: OffsetDateTime) -> Result<(), StoreError> {
        self.with(|state| {
            let mails = state.records.values_mut().flat_map(|records| records.mails.values_mut());
            for mail in mails.filter(|mail| mail.owner == Some(owner)) {
                (mail.owner, mail.due_at) = (None, Some(now));
            }
        });
        Ok(())
    }

    async fn prune_mails(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        Ok(self.with(|state| {
            let mut left = limit;
            for records in state.records.values_mut() {
                records.mails.retain(|_, mail| {
                    let goes = left > 0 && mail.over_at.is_some_and(|at| at < before);
                    left -= u32::from(goes);
                    !goes
                });
            }
            u64::from(limit - left)
        }))
    }
}

fn claim_in(state: &mut State, claim: &MailClaim) -> Vec<ClaimedMail> {
    let mut claimed = Vec::new();
    for (workspace, records) in &mut state.records {
        if claim.after.is_some_and(|after| *workspace <= after) {
            continue;
        }
        let mut due: Vec<_> =
            records.mails.values_mut().filter(|mail| mail.due_at.is_some_and(|at| at <= claim.now)).collect();
        due.sort_by_key(|mail| mail.due_at);
        let room = (claim.limit as usize - claimed.len()).min(claim.limit_a_workspace as usize);
        for waiting in due.into_iter().take(room) {
            (waiting.owner, waiting.due_at) = (Some(claim.owner), Some(claim.now + LEASE));
            let mail = &waiting.mail;
            claimed.push(ClaimedMail {
                id: mail.id,
                workspace: *workspace,
                to: mail.to.clone(),
                subject: mail.subject.clone(),
                text: mail.text.clone(),
                created_at: mail.created_at,
                attempts: waiting.attempts,
            });
        }
    }
    claimed
}
