//! The operator's command about the networks of a workspace.

use serde_json::json;

use super::Workspace;
use crate::Error;
use crate::identity::access::{ManageWorkspace, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::Networks;
use crate::ports::{Ports, transact};

/// Allows keys and users from every network again, for a workspace that has locked itself out. The networks of its keys stay.
///
/// # Errors
/// Store errors.
pub async fn allow_all_networks(ports: &Ports, permit: &Permit<ManageWorkspace>) -> Result<Workspace, Error> {
    let (id, now) = (permit.workspace_id(), ports.clock.now());
    let subject = AuditSubject::workspace(id);
    let entry = AuditEntry::new(ports, &permit.principal(), AuditAction::WorkspaceUpdated, subject, json!({}));
    let workspace = transact(ports, permit, move |tx| {
        let mut workspace = tx.workspace().get_for_update()?;
        let former = std::mem::take(&mut workspace.allowed_networks);
        if former != Networks::default() {
            workspace.touch(now);
            tx.workspace().save(&workspace)?;
            tx.credential_changed(id.0)?;
            tx.audit().append(&entry.with(json!({ "allowed_networks": { "from": former, "to": [] } })))?;
        }
        Ok(workspace)
    })
    .await?;
    ports.credential_cache.invalidate(&[id.0].into());
    Ok(workspace)
}
