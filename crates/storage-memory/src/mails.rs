//! The queue of letters.

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use super::MemoryStore;
use super::state::{MemoryTx, Records, State, WaitingMail};
use domain::email::{
    ClaimedMail, LEASE, ListedMail, MailClaim, MailFilter, MailRecord, MailStanding, MailVerdict, QueuedMail,
};
use domain::ports::{MailQueue, MailQueueRepo, StoreError};
use domain::{MailId, WorkspaceId};

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
        Self {
            mail: mail.clone(),
            due_at: Some(mail.created_at),
            owner: None,
            attempts: 0,
            over_at: None,
            last_error: None,
        }
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
            mail.last_error = match &record.verdict {
                MailVerdict::Sent => None,
                MailVerdict::Retry { error, .. } | MailVerdict::Failed { error } => Some(error.clone()),
            };
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

/// The newest letters that an operator asks for.
pub(super) fn listed(state: &State, filter: MailFilter) -> Vec<ListedMail> {
    let workspaces = state.records.keys().filter(|id| filter.workspace.is_none_or(|wanted| wanted == **id));
    let mut all: Vec<_> = workspaces
        .flat_map(|workspace| {
            let ids = state.records[workspace].mails.keys();
            ids.filter_map(|id| listed_one(state, *workspace, *id))
        })
        .filter(|mail| filter.status.is_none_or(|wanted| wanted == mail.standing.status()))
        .collect();
    all.sort_by_key(|mail| std::cmp::Reverse((mail.created_at, mail.id)));
    all.truncate(filter.limit as usize);
    all
}

/// A letter as operators see it.
pub(super) fn listed_one(state: &State, workspace: WorkspaceId, id: MailId) -> Option<ListedMail> {
    let waiting = state.records.get(&workspace)?.mails.get(&id)?;
    let mail = &waiting.mail;
    let standing = match (waiting.due_at, waiting.over_at, &waiting.last_error) {
        (Some(due_at), ..) => MailStanding::Waiting { due_at, in_hand: waiting.owner.is_some() },
        (None, Some(at), None) => MailStanding::Sent { at },
        (None, Some(at), Some(_)) => MailStanding::Failed { at },
        (None, None, _) => return None,
    };
    Some(ListedMail {
        id,
        workspace,
        slug: state.shared.workspaces.get(&workspace)?.slug.clone(),
        to: mail.to.clone(),
        subject: mail.subject.clone(),
        created_at: mail.created_at,
        attempts: waiting.attempts,
        standing,
        last_error: waiting.last_error.clone(),
    })
}

/// Makes letters due that wait for a later time, one or any; says how many.
pub(super) fn make_due(
    state: &mut State,
    workspace: WorkspaceId,
    id: Option<MailId>,
    now: OffsetDateTime,
    limit: u32,
) -> u64 {
    let mails = state.records.get_mut(&workspace).into_iter().flat_map(|records| records.mails.values_mut());
    let waits = |mail: &&mut WaitingMail| mail.owner.is_none() && mail.due_at.is_some_and(|at| at > now);
    let wanted = mails.filter(|mail| id.is_none_or(|id| mail.mail.id == id)).filter(waits);
    wanted.take(limit as usize).map(|mail| mail.due_at = Some(now)).count() as u64
}
