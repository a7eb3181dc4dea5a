//! Listing the comments on a record.

use super::{CommentedId, CrmRecord, RecordComment};
use crate::Error;
use crate::identity::access::Permit;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, Weight, weighed_statement};

/// A page of the comments on a contact, company or deal, oldest first.
///
/// # Errors
/// [`Error::NotFound`] for the record.
pub async fn list<R: CommentedId>(
    ports: &Ports,
    permit: &Permit<R::Read>,
    record: R,
    page: PageRequest,
) -> Result<Page<RecordComment>, Error> {
    let record: CrmRecord = record.into();
    let rows = weighed_statement(ports, permit, Weight::of_page(&page), move |tx| {
        let rows = tx.record_comments().list(record, &page)?;
        // Only an empty list leaves open whether the record exists.
        if rows.is_empty() {
            record.check_live(tx)?;
        }
        Ok(rows)
    })
    .await?;
    Ok(Page::from_rows(rows, &page))
}
