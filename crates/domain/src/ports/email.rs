//! E-mail ports: queueing in a workspace, the queue across workspaces, and the transport.

use std::sync::Arc;

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use super::StoreError;
use crate::email::{
    ClaimedEmail, EmailAttemptRecord, EmailBatch, EmailClaim, EmailMessage, EmailPart, Enqueued, QueuedEmail,
};
use crate::{EmailId, EmailPartId, WorkspaceId};

/// E-mails of the workspace.
pub trait EmailQueueRepo {
    /// Queues e-mails in the current transaction; returns the result of each, in order. An e-mail that exceeds the limit of its
    /// workspace, its mailbox or the queue is dropped, logged and counted; the caller decides whether its action then fails. The
    /// limits are exact under parallel calls: transactions that count against the same limit wait for each other until it is
    /// reached. E-mails that count for the workspace must have the same `per_hour`. One statement.
    fn enqueue_all(&mut self, emails: &[QueuedEmail]) -> Result<Vec<Enqueued>, StoreError>;

    fn enqueue(&mut self, email: &QueuedEmail) -> Result<Enqueued, StoreError> {
        let outcome = self.enqueue_all(std::slice::from_ref(email))?.pop();
        outcome.ok_or_else(|| StoreError::Internal("an e-mail has no outcome".to_owned()))
    }

    /// Adds parts to the open e-mails of their batches; returns for each, in order, whether there is an open e-mail. A part that
    /// the e-mail already has is not added again. Parts above [`MAX_PARTS`](crate::email::MAX_PARTS) bytes are left out. One
    /// statement.
    fn append_all(&mut self, parts: &[EmailPart]) -> Result<Vec<bool>, StoreError>;

    /// Removes parts from the open e-mails of their batches. An e-mail that has no parts left is deleted. One statement if there is
    /// no such e-mail.
    fn withdraw(&mut self, parts: &[(EmailBatch, EmailPartId)]) -> Result<(), StoreError>;

    /// Deletes the open e-mail of a batch, if there is one.
    fn discard(&mut self, batch: EmailBatch) -> Result<(), StoreError>;
}

/// The store operations of an e-mail worker, across workspaces.
#[async_trait]
pub trait EmailQueue: Send + Sync {
    /// Claims due e-mails for a worker for [`LEASE`](crate::email::LEASE); they are due again once the lease expires.
    /// Workspaces come in order, starting after the named one; within each, the oldest due e-mail comes first.
    async fn claim_emails(&self, claim: &EmailClaim) -> Result<Vec<ClaimedEmail>, StoreError>;
    /// Records the outcome of an attempt, unless another worker has claimed the e-mail since; returns whether it did. A
    /// finished e-mail loses its body.
    async fn record_email(&self, record: &EmailAttemptRecord) -> Result<bool, StoreError>;
    /// Releases all e-mails that a worker has claimed; they are due immediately.
    async fn release_emails(&self, owner: Uuid, now: OffsetDateTime) -> Result<(), StoreError>;
    /// Makes at most `limit` e-mails due now that are due later than the longest wait
    /// ([`LONGEST_WAIT`](crate::email::LONGEST_WAIT)), because the clock was ahead when they were written. Returns how many.
    async fn bring_back_emails(&self, now: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
    /// Deletes at most `limit` e-mails that finished before `before`; returns how many.
    async fn prune_emails(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
    /// Deletes at most `limit` counts of workspaces, and at most `limit` of mailboxes, whose window began before `before`; returns
    /// the larger of the two numbers.
    async fn prune_email_counts(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
}

/// An e-mail passed to a transport.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingEmail {
    /// The same for every attempt, so that receiving servers can deduplicate.
    pub id: EmailId,
    pub workspace: WorkspaceId,
    pub email: EmailMessage,
    /// When it was queued.
    pub created_at: OffsetDateTime,
}

/// Whether a retry can succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmailErrorKind {
    /// No retry can succeed.
    Permanent,
    /// A later attempt may succeed.
    Transient,
}

/// Why an e-mail was not accepted. The message is for operators and contains no secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EmailError {
    pub kind: EmailErrorKind,
    pub message: String,
}

impl EmailError {
    pub fn permanent(message: impl Into<String>) -> Self {
        Self { kind: EmailErrorKind::Permanent, message: message.into() }
    }

    pub fn transient(message: impl Into<String>) -> Self {
        Self { kind: EmailErrorKind::Transient, message: message.into() }
    }
}

/// A transport that sends e-mails.
#[async_trait]
pub trait EmailTransport: Send + Sync {
    /// Sends one e-mail; `Ok` once another server has accepted it. The caller sets the time limit.
    async fn send(&self, email: &OutgoingEmail) -> Result<(), EmailError>;
}

/// Whether a text is addressed to a person or mentions them.
pub type NamesPerson = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// E-mails that a transport has stored outside the database, such as files.
#[async_trait]
pub trait EmailCopies: Send + Sync {
    /// Removes e-mails of the workspace that are addressed to the person or mention them; returns how many. The text passed to the
    /// predicate includes the recipient.
    async fn erase(&self, workspace: WorkspaceId, names_person: NamesPerson) -> Result<u64, EmailError>;
}

/// For transports that do not store e-mails.
#[derive(Debug)]
pub struct NoEmailCopies;

#[async_trait]
impl EmailCopies for NoEmailCopies {
    async fn erase(&self, _: WorkspaceId, _: NamesPerson) -> Result<u64, EmailError> {
        Ok(0)
    }
}
