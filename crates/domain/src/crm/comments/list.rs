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
    page_of(ports, permit, record.into(), page, Known::Id).await
}

/// Like [`list`], of a record that was read in the same request: of one that is gone by now there are none.
pub(crate) async fn list_of_read<R: CommentedId>(
    ports: &Ports,
    permit: &Permit<R::Read>,
    record: R,
    page: PageRequest,
) -> Result<Page<RecordComment>, Error> {
    page_of(ports, permit, record.into(), page, Known::Record).await
}

/// What is known of a record whose comments are listed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Id,
    /// That it is live.
    Record,
}

async fn page_of<P>(
    ports: &Ports,
    permit: &Permit<P>,
    record: CrmRecord,
    page: PageRequest,
    known: Known,
) -> Result<Page<RecordComment>, Error> {
    let rows = weighed_statement(ports, permit, Weight::of_page(&page), move |tx| {
        let rows = tx.record_comments().list(record, &page)?;
        // Only an empty list leaves open whether the record exists.
        if rows.is_empty() && known == Known::Id {
            record.check_live(tx)?;
        }
        Ok(rows)
    })
    .await?;
    Ok(Page::from_rows(rows, &page))
}
