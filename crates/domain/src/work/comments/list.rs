//! Listing an issue's comments.

use super::Comment;
use crate::identity::access::{Permit, ReadComments};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, Weight, weighed_read_only};
use crate::records::Known;
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
    list_known(ports, permit, issue, filter, page, Known::Id).await
}

/// Like [`list`], of an issue of which this much is known.
pub(super) async fn list_known(
    ports: &Ports,
    permit: &Permit<ReadComments>,
    issue: IssueId,
    filter: CreatedFilter,
    page: PageRequest,
    known: Known,
) -> Result<Page<Comment>, Error> {
    let acting = permit.clone();
    let weight = Weight::of_page(&page);
    let rows = weighed_read_only(ports, permit, weight, move |tx| {
        let rows = tx.comments().list(issue, &filter, &page)?;
        // Only an empty list leaves open whether the issue exists, and only a caller without access to every kind
        // needs the issue's kind.
        let is_open = rows.is_empty() && known == Known::Id;
        if is_open || !acting.reaches_every_kind() {
            let kind = tx.issues().kind_of(issue)?.filter(|kind| acting.reaches(*kind));
            kind.ok_or(Error::NotFound("issue"))?;
        }
        Ok(rows)
    })
    .await?;
    Ok(Page::from_rows(rows, &page))
}
