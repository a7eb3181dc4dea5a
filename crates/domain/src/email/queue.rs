//! E-mails in the queue.

use time::OffsetDateTime;
use uuid::Uuid;

use super::parts::{self, SealedPart};
use super::{EmailBatch, EmailMessage, EmailSource, MAX_WAITING, MailboxCount};
use crate::kernel::input::EmailAddress;
use crate::kernel::sealing::{MasterKeys, SealedPlace, SealedSecret};
use crate::ports::{Ports, StoreError};
use crate::{EmailId, WorkspaceId};

/// The error recorded for an e-mail that no master key can open.
pub const CANNOT_DECRYPT: &str = "no configured master key can open its body";

/// An e-mail as stored: its body is sealed, since it may hold a one-time link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedEmail {
    /// Also part of the Message-ID.
    pub id: EmailId,
    /// The workspace whose queue holds it; its seal is bound to it.
    pub workspace: WorkspaceId,
    pub to: String,
    pub subject: String,
    /// The subject if the e-mail has several parts; `None` to keep `subject`.
    pub subject_of_many: Option<String>,
    pub text: SealedSecret,
    pub created_at: OffsetDateTime,
    pub due_at: OffsetDateTime,
    /// The batch whose further texts are added to this e-mail until it is claimed; at most one open e-mail per batch.
    pub batch: Option<EmailBatch>,
    /// Maximum queued e-mails of the workspace; above it, the e-mail is dropped.
    pub queue_limit: u32,
    /// Maximum e-mails of the workspace in this hour; `None` where it does not count.
    pub per_hour: Option<u64>,
    /// The mailbox limit that it also counts against.
    pub mailbox: MailboxCount,
}

impl QueuedEmail {
    /// Seals an e-mail, to be queued in a transaction of the workspace. It is due immediately.
    ///
    /// # Errors
    /// [`StoreError::Internal`] without a master key.
    pub fn seal(ports: &Ports, source: EmailSource, email: &EmailMessage) -> Result<Self, StoreError> {
        let (id, now) = (EmailId(ports.ids.new_id()), ports.clock.now());
        let EmailSource { workspace, per_hour, purpose } = source;
        Ok(Self {
            id,
            workspace,
            to: email.to().to_owned(),
            subject: email.subject().to_owned(),
            subject_of_many: None,
            text: ports.master_keys.seal(SealedPlace::EmailBody(workspace, id), email.text(), &*ports.random)?,
            created_at: now,
            due_at: now,
            batch: None,
            queue_limit: MAX_WAITING,
            per_hour,
            mailbox: MailboxCount::new(email.to(), purpose, ports.settings.email_bounds, now),
        })
    }

    /// Delays the e-mail so that further texts can be added.
    pub(crate) fn batched(self, ports: &Ports, batch: EmailBatch) -> Self {
        Self { batch: Some(batch), due_at: self.due_at + ports.settings.answer_delay.0, ..self }
    }
}

/// A worker's request for due e-mails.
#[derive(Debug, Clone)]
pub struct EmailClaim {
    pub owner: Uuid,
    /// Maximum e-mails.
    pub limit: u32,
    /// Maximum e-mails per workspace.
    pub limit_per_workspace: u32,
    /// Start after this workspace; `None` for the first.
    pub after: Option<WorkspaceId>,
    pub now: OffsetDateTime,
}

/// An e-mail that a worker has claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedEmail {
    pub id: EmailId,
    pub workspace: WorkspaceId,
    pub to: String,
    pub subject: String,
    /// The subject if it has several parts.
    pub subject_of_many: Option<String>,
    pub text: SealedSecret,
    /// The parts that come before the text.
    pub parts: Vec<SealedPart>,
    /// Whether parts were left out because they did not fit.
    pub leaves_out: bool,
    pub created_at: OffsetDateTime,
    /// Failed attempts so far.
    pub attempts: u32,
}

impl ClaimedEmail {
    /// Opens the body.
    ///
    /// # Errors
    /// [`StoreError::Internal`] if no master key opens it or its address is invalid.
    pub fn open(&self, keys: &MasterKeys) -> Result<EmailMessage, StoreError> {
        let text = keys.open(SealedPlace::EmailBody(self.workspace, self.id), &self.text)?;
        let to = EmailAddress::stored(&self.to);
        let to = to.ok_or_else(|| StoreError::Internal("the address of a queued e-mail is invalid".to_owned()))?;
        let text = parts::join(keys, self.workspace, &self.parts, self.leaves_out, &text)?;
        let has_several_parts = self.leaves_out || self.parts.len() > 1;
        let subject = self.subject_of_many.as_ref().filter(|_| has_several_parts).unwrap_or(&self.subject);
        Ok(EmailMessage::new(&to, subject, &text))
    }
}

/// The outcome of an attempt, to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailAttemptRecord {
    /// The worker that holds the claim.
    pub owner: Uuid,
    pub workspace: WorkspaceId,
    pub id: EmailId,
    pub now: OffsetDateTime,
    pub verdict: EmailVerdict,
}

/// The next step after an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EmailVerdict {
    /// Accepted by a mail server.
    Sent,
    Retry {
        /// When the next attempt is due.
        at: OffsetDateTime,
        /// Why the server did not accept it.
        error: String,
    },
    /// Abandoned.
    Failed { error: String },
}
