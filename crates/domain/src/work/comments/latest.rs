//! The end of an issue's conversation.

use super::Comment;
use crate::Error;
use crate::identity::access::{Permit, ReadComments};
use crate::ports::{Ports, read_only};
use crate::work::issues::Issue;

/// The maximum number of comments in the end of a conversation.
pub const LATEST: u32 = 100;

/// The newest comments of an issue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LatestComments {
    /// Oldest first.
    pub comments: Vec<Comment>,
    /// Whether there are older ones.
    pub has_earlier: bool,
}

/// The newest comments of an issue that the caller has read. One statement.
///
/// # Errors
/// [`Error::NotFound`] for an issue of a kind whose comments the caller may not read.
pub async fn latest(ports: &Ports, permit: &Permit<ReadComments>, issue: &Issue) -> Result<LatestComments, Error> {
    if !permit.reaches(issue.kind) {
        return Err(Error::NotFound("issue"));
    }
    let id = issue.id;
    let mut comments = read_only(ports, permit, move |tx| Ok(tx.comments().latest(id)?)).await?;
    let earlier = comments.len().saturating_sub(LATEST as usize);
    comments.drain(..earlier);
    Ok(LatestComments { comments, has_earlier: earlier > 0 })
}
