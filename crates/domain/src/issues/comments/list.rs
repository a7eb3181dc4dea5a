//! Listing an issue's comments.

use super::Comment;
use crate::access::{Permit, ReadComments};
use crate::paging::{Page, PageRequest};
use crate::ports::{Ports, statement};
use crate::{Error, IssueId};

/// A page of an issue's comments, oldest first.
///
/// # Errors
/// [`Error::NotFound`] for the issue.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ReadComments>,
    issue: IssueId,
    page: PageRequest,
) -> Result<Page<Comment>, Error> {
    let rows = statement(ports, permit, move |tx| {
        let rows = tx.comments().list(issue, &page)?;
        // Only an empty list leaves open whether the issue is there.
        if rows.is_empty() && tx.issues().kind_of(issue)?.is_none() {
            return Err(Error::NotFound("issue"));
        }
        Ok(rows)
    })
    .await?;
    Ok(Page::from_rows(rows, &page))
}
