//! Lists the comments on a record.

use super::{CommentedId, CrmRecord, RecordComment};
use crate::Error;
use crate::identity::access::Permit;
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, Weight, weighed_read_only};
use crate::records::ParentRecord;

/// A page of the comments on a contact, company or deal that match a filter, oldest first.
///
/// # Errors
/// [`Error::NotFound`] for the record.
pub async fn list<R: CommentedId>(
    ports: &Ports,
    permit: &Permit<R::Read>,
    record: R,
    filter: CreatedFilter,
    page: PageRequest,
) -> Result<Page<RecordComment>, Error> {
    list_of_parent(ports, permit, record.into(), filter, page, ParentRecord::Unverified).await
}

/// Like [`list`]. `parent` says whether the record still has to be looked up.
pub(crate) async fn list_of_parent<P>(
    ports: &Ports,
    permit: &Permit<P>,
    record: CrmRecord,
    filter: CreatedFilter,
    page: PageRequest,
    parent: ParentRecord,
) -> Result<Page<RecordComment>, Error> {
    let rows = weighed_read_only(ports, permit, Weight::of_page(&page), move |tx| {
        let rows = tx.record_comments().list(record, &filter, &page)?;
        if rows.is_empty() && parent == ParentRecord::Unverified {
            record.check_live(tx)?;
        }
        Ok(rows)
    })
    .await?;
    Ok(Page::from_rows(rows, &page))
}
