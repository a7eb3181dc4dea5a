//! Reading one API key.

use super::ApiKeyView;
use crate::identity::access::{ManageKeys, Permit};
use crate::ports::{Ports, statement};
use crate::{ApiKeyId, Error};

/// A key in any state.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ManageKeys>, id: ApiKeyId) -> Result<ApiKeyView, Error> {
    let key = statement(ports, permit, move |tx| Ok(tx.api_keys().get(id)?)).await?;
    Ok(key.ok_or(Error::NotFound("API key"))?.to_view(ports.clock.now()))
}
