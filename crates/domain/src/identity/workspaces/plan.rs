//! Changing a workspace's plan and limits (interface 6.1, 6.12 and 18.12).

use crate::email::{EmailPurpose, EmailSource};
use crate::limits::{Allowance, LimitName};
use serde_json::json;

use super::Workspace;
use crate::Error;
use crate::identity::access::{ManageWorkspace, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::limits::Plan;
use crate::limits::quota::month_of;
use crate::ports::{Ports, transact};

impl Workspace {
    /// The workspace's allowance.
    pub const fn allowance(&self) -> Allowance {
        Allowance { plan: self.plan, limits: self.limits }
    }

    /// The workspace as the source of an e-mail.
    pub fn email_source(&self, purpose: EmailPurpose) -> EmailSource {
        let all = self.allowance().emails_per_hour();
        let most = if purpose.leaves_half() { all.div_ceil(2) } else { all };
        let per_hour = purpose.counts_for_workspace().then_some(most);
        EmailSource { workspace: self.id, per_hour, purpose }
    }
}

/// The operator's changes.
#[derive(Debug, Clone, Default)]
pub struct PlanChange {
    /// The new plan.
    pub plan: Option<Plan>,
    /// Limits to set; `None` resets one to the plan's.
    pub limits: Vec<(LimitName, Option<u32>)>,
}

/// Changes a workspace's plan and limits. Its credentials are affected within two seconds.
///
/// # Errors
/// [`Error::Invalid`] if nothing is changed.
pub async fn change_plan(
    ports: &Ports,
    permit: &Permit<ManageWorkspace>,
    change: PlanChange,
) -> Result<Workspace, Error> {
    if change.plan.is_none() && change.limits.is_empty() {
        return Err(Error::invalid("plan", "empty_patch", "a plan or at least one limit is required"));
    }
    let (id, now) = (permit.workspace_id(), ports.clock.now());
    let subject = AuditSubject::workspace(id);
    let entry = AuditEntry::new(ports, &permit.principal(), AuditAction::WorkspaceUpdated, subject, json!({}));
    let workspace = transact(ports, permit, move |tx| {
        let stored = tx.workspace().get_for_update()?;
        let mut workspace = stored.clone();
        workspace.plan = change.plan.unwrap_or(stored.plan);
        change.limits.iter().for_each(|(name, value)| workspace.limits.set(*name, *value));
        if workspace == stored {
            return Ok(workspace);
        }
        // Counts existing records once, so that creates rejected by a new limit need not each do so.
        tx.quota().begin(month_of(now))?;
        workspace.touch(now);
        tx.workspace().save(&workspace)?;
        tx.credential_changed(id.0)?;
        tx.audit().append(&entry.with(json!({
            "plan": { "from": stored.plan, "to": workspace.plan },
            "limits": { "from": stored.limits, "to": workspace.limits },
        })))?;
        Ok(workspace)
    })
    .await?;
    ports.credential_cache.invalidate(&[id.0].into());
    Ok(workspace)
}
