//! What operators see of letters, and how they have those that wait sent at once.

use time::OffsetDateTime;

use crate::kernel::input::{choices, format_timestamp};
use crate::ports::{Operator, Ports};
use crate::{EmailId, Error, WorkspaceId};

/// How many letters a list has at the most.
pub const MAX_LISTED: u32 = 1_000;
/// How many letters become due a statement, so that none holds many rows.
const RETRY_BATCH: u32 = 1_000;
/// Workspaces a statement when all are asked.
const WORKSPACE_BATCH: u32 = 500;

choices! {
    /// Where a letter stands.
    pub enum EmailStatus {
        /// It is sent once it is due.
        Waiting = "waiting",
        /// A mail server has it.
        Sent = "sent",
        /// It was given up.
        Failed = "failed",
    }
}

/// Which letters an operator asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmailFilter {
    /// Those of one workspace; none for all.
    pub workspace: Option<WorkspaceId>,
    /// Those that stand there; none for all.
    pub status: Option<EmailStatus>,
    /// How many at the most: 1 to [`MAX_LISTED`].
    pub limit: u32,
}

/// A letter as operators see it: without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailSummary {
    /// Its id, which is in its Message-ID too.
    pub id: EmailId,
    /// Its workspace.
    pub workspace: WorkspaceId,
    /// The slug of its workspace.
    pub slug: String,
    /// The address.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// When it was written.
    pub created_at: OffsetDateTime,
    /// How often it was tried: in vain, unless it was sent.
    pub attempts: u32,
    /// Where it stands.
    pub email_state: EmailState,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
}

/// Where a letter stands, and since when or until when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmailState {
    /// It waits.
    Waiting {
        /// When it is due.
        due_at: OffsetDateTime,
        /// Whether a worker has it in hand; it is due then when that lease is over.
        in_flight: bool,
    },
    /// A mail server has it.
    Sent {
        /// Since when.
        at: OffsetDateTime,
    },
    /// It was given up.
    Failed {
        /// When.
        at: OffsetDateTime,
    },
}

impl EmailState {
    /// The word for it.
    pub const fn status(self) -> EmailStatus {
        match self {
            Self::Waiting { .. } => EmailStatus::Waiting,
            Self::Sent { .. } => EmailStatus::Sent,
            Self::Failed { .. } => EmailStatus::Failed,
        }
    }
}

/// Lists letters, the newest first.
///
/// # Errors
/// [`Error::Invalid`] for a limit that is none, and the store's.
pub async fn list(ports: &Ports, _: &Operator, filter: EmailFilter) -> Result<Vec<EmailSummary>, Error> {
    if !(1..=MAX_LISTED).contains(&filter.limit) {
        return Err(Error::invalid("limit", "out_of_range", format!("must be from 1 to {MAX_LISTED}")));
    }
    Ok(ports.directory.list_emails(filter).await?)
}

/// Makes a letter that waits due at once. One that a worker has in hand is being sent, and stays as it is.
///
/// # Errors
/// [`Error::NotFound`], and [`Error::InvalidStateChange`] for a letter that is over: it has no text any more.
pub async fn retry(ports: &Ports, _: &Operator, workspace: WorkspaceId, id: EmailId) -> Result<(), Error> {
    let found = ports.directory.find_email(workspace, id).await?.ok_or(Error::NotFound("e-mail"))?;
    match found.email_state {
        EmailState::Waiting { .. } => {
            ports.directory.retry_email(workspace, id, ports.clock.now()).await?;
            Ok(())
        }
        EmailState::Sent { at } => Err(Error::InvalidStateChange(format!(
            "the letter was sent at {}: only one that waits can be tried again",
            format_timestamp(at)
        ))),
        EmailState::Failed { at } => Err(Error::InvalidStateChange(format!(
            "the letter was given up at {}, and its text was erased then: only one that waits can be tried again. Do again \
             what it was about, such as the invitation or the answer",
            format_timestamp(at)
        ))),
    }
}

/// Makes all letters that wait due at once, of one workspace or of all; says how many there were that were not.
///
/// # Errors
/// The store's. Letters that became due by then stay so.
pub async fn retry_all(ports: &Ports, _: &Operator, workspace: Option<WorkspaceId>) -> Result<u64, Error> {
    let now = ports.clock.now();
    if let Some(workspace) = workspace {
        return retry_all_of(ports, workspace, now).await;
    }
    let (mut count, mut after) = (0, String::new());
    loop {
        let page = ports.directory.list_workspaces(&after, WORKSPACE_BATCH).await?;
        for workspace in &page {
            count += retry_all_of(ports, workspace.id, now).await?;
        }
        match page.last() {
            Some(last) if page.len() == WORKSPACE_BATCH as usize => after.clone_from(&last.slug),
            _ => return Ok(count),
        }
    }
}

async fn retry_all_of(ports: &Ports, workspace: WorkspaceId, now: OffsetDateTime) -> Result<u64, Error> {
    let mut count = 0;
    loop {
        let some = ports.directory.retry_emails(workspace, now, RETRY_BATCH).await?;
        count += some;
        if some < u64::from(RETRY_BATCH) {
            return Ok(count);
        }
    }
}
