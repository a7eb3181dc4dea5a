//! Reading API keys.

use super::{ApiKey, ApiKeyView, KeyStatus, MAX_ACTIVE_KEYS};
use crate::identity::access::{Area, ManageKeys, Permit, PlainToken, Scope, TokenKind};
use crate::identity::workspaces::Workspace;
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::{Page, PageRequest};
use crate::ports::{Operator, Ports, statement};
use crate::{ApiKeyId, Error};

/// A key in any state.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read(ports: &Ports, permit: &Permit<ManageKeys>, id: ApiKeyId) -> Result<ApiKeyView, Error> {
    let key = statement(ports, permit, move |tx| Ok(tx.api_keys().get(id)?)).await?;
    Ok(key.ok_or(Error::NotFound("API key"))?.to_view(ports.clock.now()))
}

/// Lists keys in every state that match a filter, newest first.
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

/// Finds the key with this plain text, in any state and workspace, for operators who have found a leaked key.
///
/// # Errors
/// [`Error::NotFound`] for a text that is not a key, and for a key that this service does not have.
pub async fn find(ports: &Ports, _: &Operator, plain: &str) -> Result<(Workspace, ApiKeyView), Error> {
    let not_found = || Error::NotFound("API key");
    let token = PlainToken::parse_kind(TokenKind::ApiKey, plain.trim()).ok_or_else(not_found)?;
    let lookup = ports.directory.find_api_key(token.lookup_id()).await?;
    let lookup = lookup.filter(|lookup| lookup.key.secret.matches(&token.hashed())).ok_or_else(not_found)?;
    Ok((lookup.workspace, lookup.key.to_view(ports.clock.now())))
}

impl ApiKey {
    /// Whether the key reaches only tickets, through the public intake.
    pub fn is_for_tickets(&self) -> bool {
        let ticket_scopes = [Scope::read(Area::Tickets), Scope::write(Area::Tickets)].map(|scope| scope.to_string());
        let scopes = self.scopes.to_strings();
        !scopes.is_empty() && scopes.iter().all(|scope| ticket_scopes.contains(scope))
    }
}

/// The active ticket keys among the newest keys of the workspace, newest first.
pub async fn list_for_tickets(ports: &Ports, permit: &Permit<ManageKeys>) -> Result<Vec<ApiKeyView>, Error> {
    let page = PageRequest::first(u32::try_from(MAX_ACTIVE_KEYS).unwrap_or(u32::MAX));
    let rows = statement(ports, permit, move |tx| Ok(tx.api_keys().list(&CreatedFilter::default(), &page)?)).await?;
    let now = ports.clock.now();
    let keys = rows.into_iter().filter(|key| key.is_for_tickets() && key.status(now) == KeyStatus::Active);
    Ok(keys.map(|key| key.to_view(now)).collect())
}
