//! Changing a workspace's plan and limits (interface 6.1, 6.12 and 18.12).

use crate::email::{EmailPurpose, EmailSource};
use crate::limits::{Allowance, LimitName};

use super::Workspace;
use super::change::{WorkspaceChange, change_workspace};
use crate::Error;
use crate::identity::access::{ManageWorkspace, Permit};
use crate::limits::Plan;
use crate::ports::Ports;

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

/// An operator's change.
#[derive(Debug, Clone, Default)]
pub struct PlanChange {
    /// The new plan.
    pub plan: Option<Plan>,
    /// Limits to set; `None` resets one to the plan's.
    pub limits: Vec<(LimitName, Option<u64>)>,
}

impl Workspace {
    /// Changes plan and limits.
    pub(super) fn change_plan(&mut self, change: &PlanChange) {
        self.plan = change.plan.unwrap_or(self.plan);
        change.limits.iter().for_each(|(name, value)| self.limits.set(*name, *value));
    }
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
    change_workspace(ports, permit, WorkspaceChange { plan: change, ..WorkspaceChange::default() }).await
}
