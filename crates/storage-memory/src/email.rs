//! The e-mail queue.

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use super::MemoryStore;
use super::pruning::Pruning;
use super::state::{MailboxKey, MemoryTx, Records, Shared, State};
use domain::email::{
    ClaimedEmail, EmailAttemptRecord, EmailBatch, EmailClaim, EmailFilter, EmailPart, EmailState, EmailSummary,
    EmailVerdict, Enqueued, LEASE, LONGEST_WAIT, MAX_PARTS, QueuedEmail, SealedPart,
};
use domain::limits::Window;
use domain::ports::{EmailQueue, EmailQueueRepo, StoreError};
use domain::{EmailId, EmailPartId, WorkspaceId};

/// An e-mail with its lease.
#[derive(Debug, Clone)]
pub(super) struct StoredEmail {
    pub(super) email: QueuedEmail,
    pub(super) parts: Vec<SealedPart>,
    pub(super) part_bytes: usize,
    /// When it is due or its lease expires; `None` once it is finished.
    pub(super) due_at: Option<OffsetDateTime>,
    pub(super) owner: Option<Uuid>,
    pub(super) attempts: u32,
    pub(super) over_at: Option<OffsetDateTime>,
    pub(super) last_error: Option<String>,
}

/// Queues an e-mail within the limits.
pub(super) fn queue_email(shared: &mut Shared, records: &mut Records, email: &QueuedEmail) -> Enqueued {
    if let Some(per_hour) = email.per_hour {
        let count = records.email_hours.entry(Window::Hour.start_of(email.created_at)).or_default();
        if *count >= per_hour {
            return Enqueued::WorkspaceLimit;
        }
        *count += 1;
    }
    if !has_room(shared, email) {
        return Enqueued::MailboxLimit;
    }
    *shared.mailboxes.entry(mailbox_of(email)).or_default() += 1;
    let waiting = records.emails.values().filter(|other| other.due_at.is_some());
    if waiting.clone().count() >= email.queue_limit as usize {
        return Enqueued::QueueFull;
    }
    if email.batch.is_some_and(|ticket| waiting.clone().any(|other| other.email.batch == Some(ticket))) {
        return Enqueued::AlreadyOpen;
    }
    let email = StoredEmail::of(email);
    records.emails.insert(email.email.id, email);
    Enqueued::Queued
}

/// Whether the mailbox may get another e-mail.
pub(super) fn has_room(shared: &Shared, email: &QueuedEmail) -> bool {
    shared.mailboxes.get(&mailbox_of(email)).is_none_or(|count| *count < email.mailbox.limit)
}

fn mailbox_of(email: &QueuedEmail) -> MailboxKey {
    (email.mailbox.since, email.mailbox.mailbox, email.mailbox.purpose.as_str())
}

impl StoredEmail {
    fn of(email: &QueuedEmail) -> Self {
        Self {
            email: email.clone(),
            due_at: Some(email.due_at),
            parts: Vec::new(),
            part_bytes: 0,
            owner: None,
            attempts: 0,
            over_at: None,
            last_error: None,
        }
    }

    fn append(&mut self, part: &EmailPart) {
        if self.parts.iter().any(|former| former.id == part.id) {
            return;
        }
        self.part_bytes += part.length;
        if self.part_bytes <= MAX_PARTS {
            self.parts.push(SealedPart { id: part.id, text: part.text.clone() });
            self.parts.sort_by_key(|part| part.id);
        }
    }
}

impl EmailQueueRepo for MemoryTx<'_> {
    fn enqueue_all(&mut self, emails: &[QueuedEmail]) -> Result<Vec<Enqueued>, StoreError> {
        if emails.iter().any(|email| email.workspace != self.workspace) {
            return Err(StoreError::Internal("an e-mail is sealed for another workspace".to_owned()));
        }
        Ok(emails.iter().map(|email| queue_email(self.shared, self.records, email)).collect())
    }

    fn append_all(&mut self, parts: &[EmailPart]) -> Result<Vec<bool>, StoreError> {
        if parts.iter().any(|part| part.workspace != self.workspace) {
            return Err(StoreError::Internal("a part of an e-mail is sealed for another workspace".to_owned()));
        }
        Ok(parts.iter().map(|part| self.open_email(part.batch).map(|open| open.append(part)).is_some()).collect())
    }

    fn withdraw(&mut self, parts: &[(EmailBatch, EmailPartId)]) -> Result<(), StoreError> {
        for (batch, id) in parts {
            let Some(open) = self.open_email(*batch) else { continue };
            let before = open.parts.len();
            open.parts.retain(|part| part.id != *id);
            let is_empty = open.parts.len() < before && open.parts.is_empty() && open.part_bytes <= MAX_PARTS;
            if is_empty {
                self.discard(*batch)?;
            }
        }
        Ok(())
    }

    fn discard(&mut self, batch: EmailBatch) -> Result<(), StoreError> {
        self.records.emails.retain(|_, email| email.email.batch != Some(batch));
        Ok(())
    }
}

impl MemoryTx<'_> {
    /// The e-mail to which texts of the batch can be added.
    fn open_email(&mut self, batch: EmailBatch) -> Option<&mut StoredEmail> {
        self.records.emails.values_mut().find(|email| email.email.batch == Some(batch))
    }
}

#[async_trait]
impl EmailQueue for MemoryStore {
    async fn claim_emails(&self, claim: &EmailClaim) -> Result<Vec<ClaimedEmail>, StoreError> {
        Ok(self.with(|state| claim_in(state, claim)))
    }

    async fn record_email(&self, record: &EmailAttemptRecord) -> Result<bool, StoreError> {
        Ok(self.with(|state| {
            let records = state.records.get_mut(&record.workspace);
            let email = records.and_then(|records| records.emails.get_mut(&record.id));
            let Some(email) = email.filter(|email| email.owner == Some(record.owner)) else {
                return false;
            };
            email.owner = None;
            email.attempts += 1;
            email.last_error = match &record.verdict {
                EmailVerdict::Sent => None,
                EmailVerdict::Retry { error, .. } | EmailVerdict::Failed { error } => Some(error.clone()),
            };
            if let EmailVerdict::Retry { at, .. } = record.verdict {
                email.due_at = Some(at);
            } else {
                (email.due_at, email.over_at) = (None, Some(record.now));
                email.email.text.sealed.clear();
                email.parts.clear();
            }
            true
        }))
    }

    async fn release_emails(&self, owner: Uuid, now: OffsetDateTime) -> Result<(), StoreError> {
        self.with(|state| {
            let emails = state.records.values_mut().flat_map(|records| records.emails.values_mut());
            for email in emails.filter(|email| email.owner == Some(owner)) {
                (email.owner, email.due_at) = (None, Some(now));
            }
        });
        Ok(())
    }

    async fn bring_back_emails(&self, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        Ok(self.with(|state| {
            let emails = state.records.values_mut().flat_map(|records| records.emails.values_mut());
            let late = emails.filter(|email| email.due_at.is_some_and(|at| at > now + LONGEST_WAIT));
            late.take(limit as usize).map(|email| (email.owner, email.due_at) = (None, Some(now))).count() as u64
        }))
    }

    async fn prune_emails(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        Ok(self.with(|state| {
            let mut left = limit;
            for records in state.records.values_mut() {
                records.emails.retain(|_, email| {
                    let goes = left > 0 && email.over_at.is_some_and(|at| at < before);
                    left -= u32::from(goes);
                    !goes
                });
            }
            u64::from(limit - left)
        }))
    }

    async fn prune_email_counts(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError> {
        Ok(self.with(|state| prune_counts(state, before, limit)))
    }
}

fn prune_counts(state: &mut State, before: OffsetDateTime, limit: u32) -> u64 {
    let mut pruned = Pruning::up_to(limit);
    state.shared.mailboxes.retain(|(since, ..), _| pruned.keeps(*since < before));
    let mut hours = Pruning::up_to(limit);
    for records in state.records.values_mut() {
        records.email_hours.retain(|hour, _| hours.keeps(*hour < before));
    }
    pruned.done.max(hours.done)
}

fn claim_in(state: &mut State, claim: &EmailClaim) -> Vec<ClaimedEmail> {
    let mut claimed = Vec::new();
    for (workspace, records) in &mut state.records {
        if claim.after.is_some_and(|after| *workspace <= after) {
            continue;
        }
        let mut due: Vec<_> =
            records.emails.values_mut().filter(|email| email.due_at.is_some_and(|at| at <= claim.now)).collect();
        due.sort_by_key(|email| email.due_at);
        let room = (claim.limit as usize - claimed.len()).min(claim.limit_per_workspace as usize);
        for waiting in due.into_iter().take(room) {
            (waiting.owner, waiting.due_at) = (Some(claim.owner), Some(claim.now + LEASE));
            waiting.email.batch = None;
            let email = &waiting.email;
            claimed.push(ClaimedEmail {
                id: email.id,
                workspace: *workspace,
                to: email.to.clone(),
                subject: email.subject.clone(),
                subject_of_many: email.subject_of_many.clone(),
                text: email.text.clone(),
                parts: waiting.parts.clone(),
                leaves_out: waiting.part_bytes > MAX_PARTS,
                created_at: email.created_at,
                attempts: waiting.attempts,
            });
        }
    }
    claimed
}

/// The newest e-mails that match an operator's filter.
pub(super) fn listed(state: &State, filter: EmailFilter) -> Vec<EmailSummary> {
    let workspaces = state.records.keys().filter(|id| filter.workspace.is_none_or(|wanted| wanted == **id));
    let mut all: Vec<_> = workspaces
        .flat_map(|workspace| {
            let ids = state.records[workspace].emails.keys();
            ids.filter_map(|id| listed_one(state, *workspace, *id))
        })
        .filter(|email| filter.status.is_none_or(|wanted| wanted == email.email_state.status()))
        .collect();
    all.sort_by_key(|email| std::cmp::Reverse((email.created_at, email.id)));
    all.truncate(filter.limit as usize);
    all
}

/// An e-mail as operators see it.
pub(super) fn listed_one(state: &State, workspace: WorkspaceId, id: EmailId) -> Option<EmailSummary> {
    let waiting = state.records.get(&workspace)?.emails.get(&id)?;
    let email = &waiting.email;
    let email_state = match (waiting.due_at, waiting.over_at, &waiting.last_error) {
        (Some(due_at), ..) => EmailState::Waiting { due_at, in_flight: waiting.owner.is_some() },
        (None, Some(at), None) => EmailState::Sent { at },
        (None, Some(at), Some(_)) => EmailState::Failed { at },
        (None, None, _) => return None,
    };
    Some(EmailSummary {
        id,
        workspace,
        slug: state.shared.workspaces.get(&workspace)?.slug.clone(),
        to: email.to.clone(),
        subject: email.subject.clone(),
        created_at: email.created_at,
        attempts: waiting.attempts,
        email_state,
        last_error: waiting.last_error.clone(),
    })
}

/// Makes waiting e-mails due now, one or all; returns how many.
pub(super) fn make_due(
    state: &mut State,
    workspace: WorkspaceId,
    id: Option<EmailId>,
    now: OffsetDateTime,
    limit: u32,
) -> u64 {
    let emails = state.records.get_mut(&workspace).into_iter().flat_map(|records| records.emails.values_mut());
    let waits = |email: &&mut StoredEmail| email.owner.is_none() && email.due_at.is_some_and(|at| at > now);
    let wanted = emails.filter(|email| id.is_none_or(|id| email.email.id == id)).filter(waits);
    wanted.take(limit as usize).map(|email| email.due_at = Some(now)).count() as u64
}
