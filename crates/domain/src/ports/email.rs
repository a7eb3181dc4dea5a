//! Letters: queued in a workspace, the queue across workspaces, and what sends them.

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use super::StoreError;
use crate::email::{ClaimedEmail, EmailAttemptRecord, EmailClaim, EmailMessage, QueuedEmail};
use crate::{EmailId, WorkspaceId};

/// Letters of the workspace.
pub trait EmailQueueRepo {
    /// Queues a letter, due at once, as part of the transaction. Where too many wait already, it is dropped, which is
    /// logged and counted: what causes a letter does not fail for it. One statement.
    fn enqueue(&mut self, email: &QueuedEmail) -> Result<(), StoreError>;
}

/// What a worker needs of the store, across workspaces.
#[async_trait]
pub trait EmailQueue: Send + Sync {
    /// Takes letters that are due for a worker: its own for [`LEASE`](crate::email::LEASE), and due again when that is
    /// over. In the order of workspaces, behind the one that is named; of each, the oldest due first.
    async fn claim_emails(&self, claim: &EmailClaim) -> Result<Vec<ClaimedEmail>, StoreError>;
    /// Writes down what came of an attempt, unless another worker has taken the letter over; says whether it did. A letter
    /// that is over loses its text.
    async fn record_email(&self, record: &EmailAttemptRecord) -> Result<bool, StoreError>;
    /// Gives all that a worker holds back, due at once.
    async fn release_emails(&self, owner: Uuid, now: OffsetDateTime) -> Result<(), StoreError>;
    /// Forgets at most `limit` letters that were over before `before`; says how many.
    async fn prune_emails(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
}

/// A letter for a transport.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingEmail {
    /// The same for every attempt, so that receivers can tell that they have it.
    pub id: EmailId,
    /// Whose it is.
    pub workspace: WorkspaceId,
    /// What it says.
    pub email: EmailMessage,
    /// When it was written.
    pub created_at: OffsetDateTime,
}

/// Whether another attempt may work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmailErrorKind {
    /// None will.
    Permanent,
    /// A later one may.
    Transient,
}

/// Why a letter was not taken. Its words are for operators, and hold no secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EmailError {
    /// Whether another attempt may work.
    pub kind: EmailErrorKind,
    /// Why.
    pub message: String,
}

impl EmailError {
    /// No attempt will work.
    pub fn permanent(message: impl Into<String>) -> Self {
        Self { kind: EmailErrorKind::Permanent, message: message.into() }
    }

    /// A later attempt may work.
    pub fn transient(message: impl Into<String>) -> Self {
        Self { kind: EmailErrorKind::Transient, message: message.into() }
    }
}

/// Hands letters to whatever carries them.
#[async_trait]
pub trait EmailTransport: Send + Sync {
    /// Sends one letter; `Ok` once it is somebody else's to deliver. Whoever calls it bounds its time.
    async fn send(&self, email: &OutgoingEmail) -> Result<(), EmailError>;
}
