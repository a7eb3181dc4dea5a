//! E-mail ports: queueing in a workspace, the queue across workspaces, and the transport.

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use super::StoreError;
use crate::email::{ClaimedEmail, EmailAttemptRecord, EmailClaim, EmailMessage, QueuedEmail};
use crate::{EmailId, WorkspaceId};

/// E-mails of the workspace.
pub trait EmailQueueRepo {
    /// Queues an e-mail, due immediately, in the current transaction. If the queue is full, the e-mail is dropped,
    /// logged and counted: what causes an e-mail must not fail because of it. One statement.
    fn enqueue(&mut self, email: &QueuedEmail) -> Result<(), StoreError>;
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
    /// Deletes at most `limit` e-mails that finished before `before`; returns how many.
    async fn prune_emails(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
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
