//! The keys of backends that serve customers.

use super::{ApiKeyView, KeyStatus, MAX_ACTIVE_KEYS};
use crate::Error;
use crate::identity::access::{Area, ManageKeys, Permit, Scope};
use crate::kernel::input::CreatedFilter;
use crate::kernel::paging::PageRequest;
use crate::ports::{Ports, statement};

impl super::ApiKey {
    /// Whether it reaches tickets by the public intake, and nothing else.
    pub fn is_for_tickets(&self) -> bool {
        let rest = [Scope::read(Area::Tickets), Scope::write(Area::Tickets)].map(|scope| scope.to_string());
        let scopes = self.scopes.to_strings();
        !scopes.is_empty() && scopes.iter().all(|scope| rest.contains(scope))
    }
}

/// The ticket keys that work, newest first, of the newest keys of the workspace: as many as may be active.
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
