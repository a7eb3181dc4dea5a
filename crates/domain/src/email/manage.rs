//! The e-mail queue for operators: listing e-mails, and retrying queued ones immediately.

use time::OffsetDateTime;

use crate::kernel::input::{choices, format_timestamp};
use crate::ports::{Operator, Ports};
use crate::{EmailId, Error, WorkspaceId};

/// Maximum e-mails per list.
pub const MAX_LISTED: u32 = 1_000;
/// E-mails made due per statement, to bound the rows that it locks.
const RETRY_BATCH: u32 = 1_000;
/// Workspaces per batch when the command covers all of them.
const WORKSPACE_BATCH: u32 = 500;

choices! {
    /// The status of an e-mail.
    pub enum EmailStatus {
        /// Queued; sent once it is due.
        Waiting = "waiting",
        /// Accepted by a mail server.
        Sent = "sent",
        /// Abandoned after the last attempt.
        Failed = "failed",
    }
}

/// Which e-mails an operator lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmailFilter {
    /// `None` for all workspaces.
    pub workspace: Option<WorkspaceId>,
    /// `None` for every status.
    pub status: Option<EmailStatus>,
    /// 1 to [`MAX_LISTED`].
    pub limit: u32,
}

/// An e-mail as operators see it: without its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailSummary {
    /// Also part of the Message-ID.
    pub id: EmailId,
    pub workspace: WorkspaceId,
    pub slug: String,
    pub to: String,
    pub subject: String,
    pub created_at: OffsetDateTime,
    /// Number of attempts so far.
    pub attempts: u32,
    pub email_state: EmailState,
    /// Error of the last attempt.
    pub last_error: Option<String>,
}

/// The status of an e-mail with its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmailState {
    Waiting {
        /// When it is due.
        due_at: OffsetDateTime,
        /// Whether a worker has claimed it; then it is due when the lease expires.
        in_flight: bool,
    },
    Sent {
        at: OffsetDateTime,
    },
    Failed {
        at: OffsetDateTime,
    },
}

impl EmailState {
    pub const fn status(self) -> EmailStatus {
        match self {
            Self::Waiting { .. } => EmailStatus::Waiting,
            Self::Sent { .. } => EmailStatus::Sent,
            Self::Failed { .. } => EmailStatus::Failed,
        }
    }
}

/// Lists e-mails, newest first.
///
/// # Errors
/// [`Error::Invalid`] for a limit out of range, and store errors.
pub async fn list(ports: &Ports, _: &Operator, filter: EmailFilter) -> Result<Vec<EmailSummary>, Error> {
    if !(1..=MAX_LISTED).contains(&filter.limit) {
        return Err(Error::invalid("limit", "out_of_range", format!("must be between 1 and {MAX_LISTED}")));
    }
    Ok(ports.directory.list_emails(filter).await?)
}

/// Makes a queued e-mail due now. One that a worker has claimed is being sent and stays unchanged.
///
/// # Errors
/// [`Error::NotFound`], and [`Error::InvalidStateChange`] for an e-mail that was sent or abandoned: its body is
/// erased.
pub async fn retry(ports: &Ports, _: &Operator, workspace: WorkspaceId, id: EmailId) -> Result<(), Error> {
    let email = ports.directory.find_email(workspace, id).await?.ok_or(Error::NotFound("e-mail"))?;
    match email.email_state {
        EmailState::Waiting { .. } => {
            ports.directory.retry_email(workspace, id, ports.clock.now()).await?;
            Ok(())
        }
        EmailState::Sent { at } => Err(Error::InvalidStateChange(format!(
            "the e-mail was sent at {}: only a waiting e-mail can be retried",
            format_timestamp(at)
        ))),
        EmailState::Failed { at } => Err(Error::InvalidStateChange(format!(
            "the e-mail was abandoned at {} and its text was erased: only a waiting e-mail can be retried. Repeat the \
             action that sent it, such as the invitation or the comment",
            format_timestamp(at)
        ))),
    }
}

/// Makes all queued e-mails of one workspace or of all due now; returns how many were not due before.
///
/// # Errors
/// Store errors. E-mails made due before the error stay due.
pub async fn retry_all(ports: &Ports, _: &Operator, workspace: Option<WorkspaceId>) -> Result<u64, Error> {
    let now = ports.clock.now();
    if let Some(workspace) = workspace {
        return retry_all_in(ports, workspace, now).await;
    }
    let (mut count, mut after) = (0, String::new());
    loop {
        let page = ports.directory.list_workspaces(&after, WORKSPACE_BATCH).await?;
        for workspace in &page {
            count += retry_all_in(ports, workspace.id, now).await?;
        }
        match page.last() {
            Some(last) if page.len() == WORKSPACE_BATCH as usize => after.clone_from(&last.slug),
            _ => return Ok(count),
        }
    }
}

async fn retry_all_in(ports: &Ports, workspace: WorkspaceId, now: OffsetDateTime) -> Result<u64, Error> {
    let mut count = 0;
    loop {
        let batch_count = ports.directory.retry_emails(workspace, now, RETRY_BATCH).await?;
        count += batch_count;
        if batch_count < u64::from(RETRY_BATCH) {
            return Ok(count);
        }
    }
}
