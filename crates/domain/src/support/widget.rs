//! Visitors of pages with the workspace's widget.

use std::net::IpAddr;
use std::sync::Arc;

use ring::digest;
use uuid::Uuid;

use crate::Error;
use crate::identity::workspaces::{Workspace, WorkspaceStatus};
use crate::kernel::input::parse_uuid;
use crate::limits::AddressGroup;
use crate::ports::Ports;
use crate::support::kb::{self, KbHit, KbQuery};

/// A visitor of a page that a workspace has listed for its widget. Only [`admit`] creates it:
///
/// ```
/// # use domain::support::WidgetVisitor;
/// fn keep(visitor: WidgetVisitor) -> WidgetVisitor {
///     visitor
/// }
/// ```
/// ```compile_fail,E0451
/// # use domain::support::WidgetVisitor;
/// fn forged(visitor: WidgetVisitor) -> WidgetVisitor {
///     WidgetVisitor { address: None, ..visitor }
/// }
/// ```
#[derive(Debug, Clone)]
pub struct WidgetVisitor {
    workspace: Arc<Workspace>,
    address: Option<IpAddr>,
    request_id: Option<Arc<str>>,
}

impl WidgetVisitor {
    /// The same visitor with the id of the request, which the event log records.
    #[must_use]
    pub fn in_request(self, request_id: Arc<str>) -> Self {
        Self { request_id: Some(request_id), ..self }
    }

    /// A visitor of the workspace's help centre, which uses the widget's form.
    pub(super) fn of_help_centre(workspace: Workspace, address: Option<IpAddr>) -> Self {
        Self { workspace: Arc::new(workspace), address, request_id: None }
    }

    pub(super) fn request_id(&self) -> Option<Arc<str>> {
        self.request_id.clone()
    }

    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    pub const fn address(&self) -> Option<IpAddr> {
        self.address
    }

    /// The owner of idempotency keys, derived from the IP address because visitors have no other identity.
    pub(super) fn idempotency_owner(&self) -> Uuid {
        let group = self.address.map(|address| AddressGroup::from(address).to_string()).unwrap_or_default();
        let digest = digest::digest(&digest::SHA256, format!("widget {group}").as_bytes());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest.as_ref()[..16]);
        uuid::Builder::from_custom_bytes(bytes).into_uuid()
    }
}

/// Admits a visitor of a page with this origin, if the workspace has enabled its widget and listed the origin.
///
/// # Errors
/// [`Error::Forbidden`] in all cases, so that it does not reveal whether the workspace exists.
pub async fn admit(
    ports: &Ports,
    workspace: &str,
    origin: Option<&str>,
    address: Option<IpAddr>,
) -> Result<WidgetVisitor, Error> {
    let refused = || Error::Forbidden("this page is not allowed to use the workspace's widget".to_owned());
    let (id, origin) = (parse_uuid(workspace).ok_or_else(refused)?, origin.ok_or_else(refused)?);
    let found = ports.directory.find_workspace(&id.to_string()).await?.ok_or_else(refused)?;
    let is_listed = found.widget_origins.iter().any(|listed| listed == origin);
    if !(found.status == WorkspaceStatus::Active && found.widget_enabled && is_listed) {
        return Err(refused());
    }
    Ok(WidgetVisitor { workspace: Arc::new(found), address, request_id: None })
}

/// The best matching published articles, best first.
pub async fn search_kb(
    ports: &Ports,
    visitor: &WidgetVisitor,
    query: KbQuery,
    limit: u32,
) -> Result<Vec<KbHit>, Error> {
    kb::search_in(ports, visitor.workspace(), None, query, limit).await
}
