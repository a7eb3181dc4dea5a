//! Texts for one recipient that are sent together.
//!
//! An answer to a customer and a notification of a member wait for a minute. Further ones within that minute are added to the
//! e-mail as parts, so that many actions in a row cause one e-mail.

use std::time::Duration;

use uuid::Uuid;

use super::{CUT, Enqueued, QueuedEmail};
use crate::Error;
use crate::kernel::sealing::{MasterKeys, SealedPlace, SealedSecret};
use crate::ports::{Ports, StoreError, Tx};
use crate::{EmailPartId, IssueId, UserId, WorkspaceId};

/// Maximum total size of the parts of an e-mail, in bytes. It leaves room for the text that follows them.
pub const MAX_PARTS: usize = 48 * 1024;
const SEPARATOR: &str = "\n\n* * *\n\n";
/// Follows the parts if some were left out.
const LEFT_OUT: &str = "\n\n[The rest was left out because it does not fit into one e-mail.]";

/// What the texts of an e-mail are about; each batch has at most one open e-mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EmailBatch {
    /// Answers on a ticket, to its requester.
    Ticket(IssueId),
    /// Notifications of a member about their work.
    Member(UserId),
}

impl EmailBatch {
    /// Stores identify batches by this id; ids are unique across kinds of records.
    pub const fn id(self) -> Uuid {
        match self {
            Self::Ticket(ticket) => ticket.0,
            Self::Member(member) => member.0,
        }
    }
}

/// How long an answer waits for further ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerDelay(pub Duration);

impl Default for AnswerDelay {
    fn default() -> Self {
        Self(Duration::from_mins(1))
    }
}

/// A text to be added to an e-mail, at most once. Parts are sorted by id, that is by the creation of the comments or records that
/// they are about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailPart {
    pub workspace: WorkspaceId,
    pub batch: EmailBatch,
    pub id: EmailPartId,
    pub text: SealedSecret,
    /// Size of the text, in bytes.
    pub length: usize,
}

impl EmailPart {
    /// Seals a text, cut at the maximum length.
    ///
    /// # Errors
    /// [`StoreError::Internal`] without a master key.
    pub fn seal(
        ports: &Ports,
        workspace: WorkspaceId,
        batch: EmailBatch,
        id: EmailPartId,
        text: &str,
    ) -> Result<Self, StoreError> {
        let cut;
        let text = if text.len() > MAX_PARTS {
            cut = format!("{}{CUT}", &text[..text.floor_char_boundary(MAX_PARTS - CUT.len())]);
            cut.as_str()
        } else {
            text
        };
        let place = SealedPlace::EmailPart(workspace, id);
        let length = text.len();
        Ok(Self { workspace, batch, id, text: ports.master_keys.seal(place, text, &*ports.random)?, length })
    }
}

/// A part as a worker claims it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedPart {
    pub id: EmailPartId,
    pub text: SealedSecret,
}

/// The parts in order, followed by the e-mail's own text.
pub(super) fn join(
    keys: &MasterKeys,
    workspace: WorkspaceId,
    parts: &[SealedPart],
    leaves_out: bool,
    text: &str,
) -> Result<String, StoreError> {
    let open = |part: &SealedPart| keys.open(SealedPlace::EmailPart(workspace, part.id), &part.text);
    let mut joined = parts.iter().map(open).collect::<Result<Vec<_>, _>>()?.join(SEPARATOR);
    if leaves_out {
        joined.push_str(LEFT_OUT);
    }
    joined.push_str(text);
    Ok(joined)
}

/// Maximum attempts to add a part to an open e-mail, or to open one.
const MAX_TRIES: u32 = 3;

/// Adds each part to the open e-mail of its batch, and opens one if there is none. `open` creates that e-mail for the part with
/// this index; it returns `None` if no e-mail can be sent. A part whose e-mail exceeds a limit is dropped. Returns the indexes of
/// the parts whose e-mail was opened. The number of statements does not depend on the number of parts.
///
/// # Errors
/// [`StoreError::Contended`] if others keep opening and sending the same e-mails.
pub(crate) fn add_parts(
    tx: &mut dyn Tx,
    parts: &[EmailPart],
    mut open: impl FnMut(usize) -> Result<Option<QueuedEmail>, Error>,
) -> Result<Vec<usize>, Error> {
    let (mut pending, mut opened): (Vec<usize>, _) = ((0..parts.len()).collect(), Vec::new());
    for _ in 0..MAX_TRIES {
        let batch: Vec<_> = pending.iter().map(|index| parts[*index].clone()).collect();
        let added = tx.emails().append_all(&batch)?;
        pending = pending.into_iter().zip(added).filter(|(_, is_added)| !is_added).map(|(index, _)| index).collect();
        let mut emails = Vec::new();
        for index in std::mem::take(&mut pending) {
            if let Some(email) = open(index)? {
                pending.push(index);
                emails.push(email);
            }
        }
        if pending.is_empty() {
            return Ok(opened);
        }
        let outcomes = tx.emails().enqueue_all(&emails)?;
        let with = |expected: Enqueued| pending.iter().zip(&outcomes).filter(move |(_, outcome)| **outcome == expected);
        let queued: Vec<usize> = with(Enqueued::Queued).map(|(index, _)| *index).collect();
        // If a concurrent transaction has opened the e-mail, the next attempt adds the part to it.
        let already_open = with(Enqueued::AlreadyOpen).map(|(index, _)| *index);
        pending = queued.iter().copied().chain(already_open).collect();
        opened.extend(queued);
        if pending.is_empty() {
            return Ok(opened);
        }
    }
    Err(StoreError::Contended.into())
}
