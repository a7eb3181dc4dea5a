//! Lists the comments of an issue.

use super::Comment;
use crate::identity::access::{Permit, ReadComments};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, Weight, weighed_read_only};
use crate::records::ParentRecord;
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
