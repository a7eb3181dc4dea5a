//! The keys of a workspace.

use super::ApiKeyView;
use crate::Error;
use crate::identity::access::{ManageKeys, Permit};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Ports, statement};

/// Lists keys in every state that match a filter, newest first.
///
/// # Errors
/// Store errors.
pub async fn list(
    ports: &Ports,
    permit: &Permit<ManageKeys>,
    filter: CreatedFilter,
    page: PageRequest,
) -> Result<Page<ApiKeyView>, Error> {
    let rows = statement(ports, permit, move |tx| Ok(tx.api_keys().list(&filter, &page)?)).await?;
    let now = ports.clock.now();
    Ok(Page::from_rows(rows, &page).map(|key| key.to_view(now)))
}
