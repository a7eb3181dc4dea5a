//! Letters on their way through the queue.

use time::OffsetDateTime;
use uuid::Uuid;

use super::{EmailMessage, MAX_WAITING};
use crate::kernel::input::EmailAddress;
use crate::kernel::sealing::{MasterKeys, SealedSecret};
use crate::ports::{Ports, StoreError};
use crate::{EmailId, WorkspaceId};

/// What becomes of a letter that no master key opens.
pub const CANNOT_DECRYPT: &str = "its text cannot be opened with the master keys that are here";

/// A letter as it is stored: its text is sealed, since it may hold a one-time link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedEmail {
    /// Its id, which is in its Message-ID too.
    pub id: EmailId,
    /// The workspace that it is sealed for, and queued in.
    pub workspace: WorkspaceId,
    /// The address.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// The text, for whoever has the master key.
    pub text: SealedSecret,
    /// When it was written.
    pub created_at: OffsetDateTime,
    /// How many of the workspace may wait; where there are as many, it is dropped.
    pub queue_limit: u32,
}

impl QueuedEmail {
    /// Seals a letter, to be queued in a transaction of the workspace. It is due at once.
    ///
    /// # Errors
    /// [`StoreError::Internal`] without a master key.
    pub fn seal(ports: &Ports, workspace: WorkspaceId, email: &EmailMessage) -> Result<Self, StoreError> {
        let id = EmailId(ports.ids.new_id());
        Ok(Self {
            id,
            workspace,
            to: email.to().to_owned(),
            subject: email.subject().to_owned(),
            text: ports.master_keys.seal(&context(workspace, id), email.text(), &*ports.random)?,
            created_at: ports.clock.now(),
            queue_limit: MAX_WAITING,
        })
    }
}

/// What a text is sealed for: no other letter's row opens it, and no other secret passes for a text.
fn context(workspace: WorkspaceId, id: EmailId) -> Vec<u8> {
    [workspace.0.as_bytes(), b"mail".as_slice(), id.0.as_bytes()].concat()
}

/// What a worker asks for.
#[derive(Debug, Clone)]
pub struct EmailClaim {
    /// The worker.
    pub owner: Uuid,
    /// How many letters at the most.
    pub limit: u32,
    /// How many of one workspace at the most.
    pub limit_per_workspace: u32,
    /// The workspace behind which to begin; none for the first.
    pub after: Option<WorkspaceId>,
    /// When.
    pub now: OffsetDateTime,
}

/// A letter that a worker holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedEmail {
    /// Its id.
    pub id: EmailId,
    /// Its workspace.
    pub workspace: WorkspaceId,
    /// The address.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// The text, sealed.
    pub text: SealedSecret,
    /// When it was written.
    pub created_at: OffsetDateTime,
    /// How often it was tried in vain.
    pub attempts: u32,
}

impl ClaimedEmail {
    /// Opens the letter.
    ///
    /// # Errors
    /// [`StoreError::Internal`] when no key opens it, or it is no letter.
    pub fn open(&self, keys: &MasterKeys) -> Result<EmailMessage, StoreError> {
        let text = keys.open(&context(self.workspace, self.id), &self.text)?;
        let to = EmailAddress::parse(&self.to);
        let to = to.ok_or_else(|| StoreError::Internal("a letter has no address that can be one".to_owned()))?;
        Ok(EmailMessage::new(&to, &self.subject, &text))
    }
}

/// What is written down after an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailAttemptRecord {
    /// Whose attempt.
    pub owner: Uuid,
    /// The letter's workspace.
    pub workspace: WorkspaceId,
    /// The letter.
    pub id: EmailId,
    /// When.
    pub now: OffsetDateTime,
    /// What follows.
    pub verdict: EmailVerdict,
}

/// What follows from an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EmailVerdict {
    /// A mail server has it.
    Sent,
    /// It is tried again.
    Retry {
        /// When.
        at: OffsetDateTime,
        /// Why it was not taken.
        error: String,
    },
    /// It is given up.
    Failed {
        /// Why.
        error: String,
    },
}
