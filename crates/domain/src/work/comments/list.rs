//! Lists the comments of an issue, and the end of its conversation.

use super::Comment;
use crate::identity::access::{Permit, ReadComments};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, Weight, read_only, weighed_read_only};
use crate::records::ParentRecord;
use crate::work::issues::Issue;
use crate::{Error, IssueId};

/// A page of an issue's comments that match a filter, oldest first.
///
/// # Errors
/// [`Error::NotFound`] for the issue.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadComments>,
    issue: IssueId,
    filter: CreatedFilter,
    page: PageRequest,
) -> Result<Page<Comment>, Error> {
    list_of_parent(ports, permit, issue, filter, page, ParentRecord::Unverified).await
}

/// Like [`list`]. `parent` says whether the issue still has to be looked up.
pub(super) async fn list_of_parent(
    ports: &Ports,
    permit: &Permit<ReadComments>,
    issue: IssueId,
    filter: CreatedFilter,
    page: PageRequest,
    parent: ParentRecord,
) -> Result<Page<Comment>, Error> {
    let acting = permit.clone();
    let weight = Weight::of_page(&page);
    let rows = weighed_read_only(ports, permit, weight, move |tx| {
        let rows = tx.comments().list(issue, &filter, &page)?;
        // The issue is looked up only if the list is empty, so that it may not exist, or if the caller does not have access to every
        // kind, so that its kind matters.
        let may_be_missing = rows.is_empty() && parent == ParentRecord::Unverified;
        if may_be_missing || !acting.reaches_every_kind() {
            let kind = tx.issues().kind_of(issue)?.filter(|kind| acting.reaches(*kind));
            kind.ok_or(Error::NotFound("issue"))?;
        }
        Ok(rows)
    })
    .await?;
    Ok(Page::from_rows(rows, &page))
}

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
