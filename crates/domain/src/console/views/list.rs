//! Lists the views of a page.

use super::{SavedView, ViewPage, member};
use crate::Error;
use crate::identity::access::{Permit, UseSavedViews};
use crate::ports::{Ports, read_only};

/// The views of a page that the caller sees: their own in order, then the shared ones in order.
///
/// # Errors
/// [`Error::SessionNeeded`] for a key.
pub async fn list(ports: &Ports, permit: &Permit<UseSavedViews>, page: ViewPage) -> Result<Vec<SavedView>, Error> {
    let member = member(permit)?;
    read_only(ports, permit, move |tx| Ok(tx.saved_views().list(page, member)?)).await
}
