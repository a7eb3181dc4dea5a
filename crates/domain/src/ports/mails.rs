//! Letters: queued in a workspace, the queue across workspaces, and what sends them.

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use super::StoreError;
use crate::email::{ClaimedMail, Mail, MailClaim, MailRecord, QueuedMail};
use crate::{MailId, WorkspaceId};

/// Letters of the workspace.
pub trait MailQueueRepo {
    /// Queues a letter, due at once, as part of the transaction. Where too many wait already, it is dropped, which is
    /// logged and counted: what causes a letter does not fail for it. One statement.
    fn enqueue(&mut self, mail: &QueuedMail) -> Result<(), StoreError>;
}

/// What a worker needs of the store, across workspaces.
#[async_trait]
pub trait MailQueue: Send + Sync {
    /// Takes letters that are due for a worker: its own for [`LEASE`](crate::email::LEASE), and due again when that is
    /// over. In the order of workspaces, behind the one that is named; of each, the oldest due first.
    async fn claim_mails(&self, claim: &MailClaim) -> Result<Vec<ClaimedMail>, StoreError>;
    /// Writes down what came of an attempt, unless another worker has taken the letter over; says whether it did. A letter
    /// that is over loses its text.
    async fn record_mail(&self, record: &MailRecord) -> Result<bool, StoreError>;
    /// Gives all that a worker holds back, due at once.
    async fn release_mails(&self, owner: Uuid, now: OffsetDateTime) -> Result<(), StoreError>;
    /// Forgets at most `limit` letters that were over before `before`; says how many.
    async fn prune_mails(&self, before: OffsetDateTime, limit: u32) -> Result<u64, StoreError>;
}

/// A letter for a transport.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingMail {
    /// The same for every attempt, so that receivers can tell that they have it.
    pub id: MailId,
    /// Whose it is.
    pub workspace: WorkspaceId,
    /// What it says.
    pub mail: Mail,
    /// When it was written.
    pub created_at: OffsetDateTime,
}

/// Whether another attempt may work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailErrorKind {
    /// None will.
    Permanent,
    /// A later one may.
    Transient,
}

/// Why a letter was not taken. Its words are for operators, and hold no secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct MailError {
    /// Whether another attempt may work.
    pub kind: MailErrorKind,
    /// Why.
    pub message: String,
}

impl MailError {
    /// No attempt will work.
    pub fn permanent(message: impl Into<String>) -> Self {
        Self { kind: MailErrorKind::Permanent, message: message.into() }
    }

    /// A later attempt may work.
    pub fn transient(message: impl Into<String>) -> Self {
        Self { kind: MailErrorKind::Transient, message: message.into() }
    }
}

/// Hands letters to whatever carries them.
#[async_trait]
pub trait MailTransport: Send + Sync {
    /// Sends one letter; `Ok` once it is somebody else's to deliver. Whoever calls it bounds its time.
    async fn send(&self, mail: &OutgoingMail) -> Result<(), MailError>;
}
