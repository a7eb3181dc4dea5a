//! The members of a workspace.

use super::MemberView;
use crate::Error;
use crate::identity::access::{ManageMembers, Permit};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, read_only};

/// Lists members in every state that match a filter, newest first.
///
/// # Errors
/// Store errors.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ManageMembers>,
    filter: CreatedFilter,
    page: PageRequest,
) -> Result<Page<MemberView>, Error> {
    let rows = read_only(ports, permit, move |tx| Ok(tx.members().list(&filter, &page)?)).await?;
    Ok(Page::from_rows(rows, &page).map(|record| record.to_view()))
}
