//! The e-mail queue.

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use super::MemoryStore;
use super::state::{MailboxKey, MemoryTx, Records, Shared, State};
use domain::EmailPartId;
use domain::email::{
    ClaimedEmail, EmailAttemptRecord, EmailBatch, EmailClaim, EmailPart, EmailVerdict, Enqueued, LEASE, MAX_PARTS,
    QueuedEmail, SealedPart,
};
use domain::limits::Window;
use domain::ports::{EmailQueue, EmailQueueRepo, StoreError};

/// An e-mail with its lease; finished e-mails are removed.
#[derive(Debug, Clone)]
pub(super) struct StoredEmail {
    email: QueuedEmail,
    parts: Vec<SealedPart>,
    part_bytes: usize,
    /// When it is due or its lease expires.
    due_at: OffsetDateTime,
    owner: Option<Uuid>,
    attempts: u32,
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
    if records.emails.len() >= email.queue_limit as usize {
        return Enqueued::QueueFull;
    }
    if email.batch.is_some_and(|ticket| records.emails.values().any(|other| other.email.batch == Some(ticket))) {
        return Enqueued::AlreadyOpen;
    }
    let email = StoredEmail::of(email);
    records.emails.insert(email.email.id, email);
    Enqueued::Queued
}

/// Whether the mailbox may receive another e-mail.
pub(super) fn has_room(shared: &Shared, email: &QueuedEmail) -> bool {
    shared.mailboxes.get(&mailbox_of(email)).is_none_or(|count| *count < email.mailbox.limit)
}

fn mailbox_of(email: &QueuedEmail) -> MailboxKey {
    (email.mailbox.since, email.mailbox.mailbox, email.mailbox.purpose.as_str())
}

impl StoredEmail {
    fn of(email: &QueuedEmail) -> Self {
        Self { email: email.clone(), due_at: email.due_at, parts: Vec::new(), part_bytes: 0, owner: None, attempts: 0 }
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
    /// The e-mail that parts of the batch can be added to.
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
            let Some(records) = state.records.get_mut(&record.workspace) else { return false };
            let email = records.emails.get_mut(&record.id).filter(|email| email.owner == Some(record.owner));
            let Some(email) = email else { return false };
            (email.owner, email.attempts) = (None, email.attempts + 1);
            if let EmailVerdict::Retry { at, .. } = record.verdict {
                email.due_at = at;
            } else {
                records.emails.remove(&record.id);
            }
            true
        }))
    }

    async fn release_emails(&self, owner: Uuid, now: OffsetDateTime) -> Result<(), StoreError> {
        self.with(|state| {
            let emails = state.records.values_mut().flat_map(|records| records.emails.values_mut());
            for email in emails.filter(|email| email.owner == Some(owner)) {
                (email.owner, email.due_at) = (None, now);
            }
        });
        Ok(())
    }

    /// In tests that send e-mails, the clock never goes back.
    async fn bring_back_emails(&self, _: OffsetDateTime, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    /// Finished e-mails are removed at once.
    async fn prune_emails(&self, _: OffsetDateTime, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    /// Counts are kept: the store lives only as long as a test.
    async fn prune_email_counts(&self, _: OffsetDateTime, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }
}

fn claim_in(state: &mut State, claim: &EmailClaim) -> Vec<ClaimedEmail> {
    let mut claimed = Vec::new();
    for (workspace, records) in &mut state.records {
        if claim.after.is_some_and(|after| *workspace <= after) {
            continue;
        }
        let mut due: Vec<_> = records.emails.values_mut().filter(|email| email.due_at <= claim.now).collect();
        due.sort_by_key(|email| email.due_at);
        let room = (claim.limit as usize - claimed.len()).min(claim.limit_per_workspace as usize);
        for waiting in due.into_iter().take(room) {
            (waiting.owner, waiting.due_at) = (Some(claim.owner), claim.now + LEASE);
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
