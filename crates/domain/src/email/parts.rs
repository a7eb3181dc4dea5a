//! Comments of one ticket that are sent together.
//!
//! An answer to a customer waits for a minute. Further answers of that minute are added to its e-mail as parts, so that
//! somebody who writes many sends one e-mail.

use std::time::Duration;

use super::CUT;
use crate::kernel::sealing::{MasterKeys, SealedPlace, SealedSecret};
use crate::ports::{Ports, StoreError};
use crate::{CommentId, WorkspaceId};

/// Maximum size of the parts of an e-mail in total, in bytes: what follows them must fit too.
pub const MAX_PARTS: usize = 48 * 1024;
/// Between two parts.
const SEPARATOR: &str = "\n\n* * *\n\n";
/// After the parts, if some were left out.
const LEFT_OUT: &str = "\n\n[Further answers were left out: open the ticket to read them.]";

/// How long an answer waits for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerDelay(pub Duration);

impl Default for AnswerDelay {
    fn default() -> Self {
        Self(Duration::from_mins(1))
    }
}

/// A comment to be added to an e-mail. Parts come in the order of their comments' ids, which is that of their creation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailPart {
    pub workspace: WorkspaceId,
    pub id: CommentId,
    pub text: SealedSecret,
    /// Size of the text, in bytes.
    pub length: usize,
}

impl EmailPart {
    /// Seals a comment, cut at the maximum length.
    ///
    /// # Errors
    /// [`StoreError::Internal`] without a master key.
    pub fn seal(ports: &Ports, workspace: WorkspaceId, id: CommentId, text: &str) -> Result<Self, StoreError> {
        let cut;
        let text = if text.len() > MAX_PARTS {
            cut = format!("{}{CUT}", &text[..text.floor_char_boundary(MAX_PARTS - CUT.len())]);
            cut.as_str()
        } else {
            text
        };
        let place = SealedPlace::EmailPart(workspace, id);
        let length = text.len();
        Ok(Self { workspace, id, text: ports.master_keys.seal(place, text, &*ports.random)?, length })
    }
}

/// A part as a worker claims it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedPart {
    pub id: CommentId,
    pub text: SealedSecret,
}

/// The parts in order, followed by the e-mail's own text.
pub(super) fn joined(
    keys: &MasterKeys,
    workspace: WorkspaceId,
    parts: &[SealedPart],
    leaves_out: bool,
    text: &str,
) -> Result<String, StoreError> {
    let open = |part: &SealedPart| keys.open(SealedPlace::EmailPart(workspace, part.id), &part.text);
    let mut all = parts.iter().map(open).collect::<Result<Vec<_>, _>>()?.join(SEPARATOR);
    if leaves_out {
        all.push_str(LEFT_OUT);
    }
    all.push_str(text);
    Ok(all)
}
