//! The end of an issue's conversation.

use super::Comment;
use crate::identity::access::{Permit, ReadComments};
use crate::ports::{Ports, statement};
use crate::{Error, IssueId};

/// The most comments that the end of a conversation has.
pub const LATEST: u32 = 100;

/// The newest comments of an issue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LatestComments {
    /// Oldest first.
    pub comments: Vec<Comment>,
    /// Whether there are older ones.
    pub has_earlier: bool,
}

/// The end of an issue's conversation: its newest comments.
///
/// # Errors
/// [`Error::NotFound`] for the issue.
pub async fn latest(ports: &Ports, permit: &Permit<ReadComments>, issue: IssueId) -> Result<LatestComments, Error> {
    let acting = permit.clone();
    let mut comments = statement(ports, permit, move |tx| {
        let rows = tx.comments().latest(issue)?;
        // As in the list of all.
        if rows.is_empty() || !acting.reaches_every_kind() {
            let kind = tx.issues().kind_of(issue)?.filter(|kind| acting.reaches(*kind));
            kind.ok_or(Error::NotFound("issue"))?;
        }
        Ok(rows)
    })
    .await?;
    let earlier = comments.len().saturating_sub(LATEST as usize);
    comments.drain(..earlier);
    Ok(LatestComments { comments, has_earlier: earlier > 0 })
}
