//! The keys of backends that handle tickets of customers.

use super::{ApiKeyView, KeyStatus, MAX_ACTIVE_KEYS};
use crate::Error;
use crate::identity::access::{Area, ManageKeys, Permit, Scope};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::PageRequest;
use crate::ports::{Ports, statement};

impl super::ApiKey {
    /// Whether the key reaches only tickets, through the public intake.
    pub fn is_for_tickets(&self) -> bool {
        let rest = [Scope::read(Area::Tickets), Scope::write(Area::Tickets)].map(|scope| scope.to_string());
        let scopes = self.scopes.to_strings();
        !scopes.is_empty() && scopes.iter().all(|scope| rest.contains(scope))
    }
}

/// The active ticket keys among the newest keys of the workspace, newest first.
///
/// # Errors
/// Store errors.
pub async fn list_for_tickets(ports: &Ports, permit: &Permit<ManageKeys>) -> Result<Vec<ApiKeyView>, Error> {
    let page = PageRequest::first(u32::try_from(MAX_ACTIVE_KEYS).unwrap_or(u32::MAX));
    let rows = statement(ports, permit, move |tx| Ok(tx.api_keys().list(&CreatedFilter::default(), &page)?)).await?;
    let now = ports.clock.now();
    let keys = rows.into_iter().filter(|key| key.is_for_tickets() && key.status(now) == KeyStatus::Active);
    Ok(keys.map(|key| key.to_view(now)).collect())
}
