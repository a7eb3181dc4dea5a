//! What a workspace pays for, and limits of its own (contract: keys, sessions, plans; plans, public limits).

use serde::Serialize;
use serde_json::json;

use super::{Plan, Workspace};
use crate::Error;
use crate::access::{ManageWorkspace, Permit};
use crate::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::input::choices;
use crate::ports::{Ports, transact};
use crate::quota::month_of;

choices! {
    /// A limit that a workspace can have of its own.
    pub enum LimitName {
        /// Of each key and session; half of it for writes.
        RequestsPerMinute = "requests_per_minute",
        /// Contacts, companies and deals made in a calendar month.
        CrmQuotaPerMonth = "crm_quota_per_month",
        /// Public tickets made from one address.
        PublicTicketsPerHour = "public_tickets_per_hour",
        /// Public tickets read from one address.
        PublicFetchesPerMinute = "public_fetches_per_minute",
        /// Searches of the knowledge base from one address.
        PublicKbSearchesPerMinute = "public_kb_searches_per_minute",
    }
}

/// Limits of a workspace's own; those that it does not have come from its plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[expect(missing_docs, reason = "the members are documented at LimitName")]
pub struct WorkspaceLimits {
    pub requests_per_minute: Option<u32>,
    pub crm_quota_per_month: Option<u32>,
    pub public_tickets_per_hour: Option<u32>,
    pub public_fetches_per_minute: Option<u32>,
    pub public_kb_searches_per_minute: Option<u32>,
}

impl WorkspaceLimits {
    /// Sets a limit, or goes back to the plan's.
    pub const fn set(&mut self, name: LimitName, value: Option<u32>) {
        match name {
            LimitName::RequestsPerMinute => self.requests_per_minute = value,
            LimitName::CrmQuotaPerMonth => self.crm_quota_per_month = value,
            LimitName::PublicTicketsPerHour => self.public_tickets_per_hour = value,
            LimitName::PublicFetchesPerMinute => self.public_fetches_per_minute = value,
            LimitName::PublicKbSearchesPerMinute => self.public_kb_searches_per_minute = value,
        }
    }
}

impl Plan {
    /// Requests a minute of each key.
    pub const fn requests_per_minute(self) -> u64 {
        match self {
            Self::Starter => 100,
            Self::Professional => 500,
            Self::Enterprise => 2_000,
        }
    }

    /// Contacts, companies and deals a month; none means as many as one likes.
    pub const fn crm_quota_per_month(self) -> Option<u64> {
        match self {
            Self::Starter => Some(10_000),
            Self::Professional => Some(100_000),
            Self::Enterprise => None,
        }
    }
}

impl Workspace {
    /// Requests a minute of each key and session.
    pub fn requests_per_minute(&self) -> u64 {
        self.limits.requests_per_minute.map_or_else(|| self.plan.requests_per_minute(), u64::from)
    }

    /// Contacts, companies and deals a month; none means as many as one likes.
    pub fn crm_quota_per_month(&self) -> Option<u64> {
        self.limits.crm_quota_per_month.map(u64::from).or_else(|| self.plan.crm_quota_per_month())
    }
}

/// What an operator changes.
#[derive(Debug, Clone, Default)]
pub struct PlanChange {
    /// Another plan.
    pub plan: Option<Plan>,
    /// Limits, each with its value or with none to go back to the plan's.
    pub limits: Vec<(LimitName, Option<u32>)>,
}

/// Changes a workspace's plan and limits. Its credentials feel that within two seconds.
///
/// # Errors
/// [`Error::Invalid`] when nothing is asked for.
pub async fn change_plan(
    ports: &Ports,
    permit: &Permit<ManageWorkspace>,
    change: PlanChange,
) -> Result<Workspace, Error> {
    if change.plan.is_none() && change.limits.is_empty() {
        return Err(Error::invalid("plan", "empty_patch", "a plan or at least one limit must be given"));
    }
    let (id, now) = (permit.workspace_id(), ports.clock.now());
    let subject = AuditSubject::workspace(id);
    let entry = AuditEntry::new(ports, &permit.who(), AuditAction::WorkspaceUpdated, subject, json!({}));
    let workspace = transact(ports, permit, move |tx| {
        let stored = tx.workspace().get_for_update()?;
        let mut workspace = stored.clone();
        workspace.plan = change.plan.unwrap_or(stored.plan);
        change.limits.iter().for_each(|(name, value)| workspace.limits.set(*name, *value));
        if workspace == stored {
            return Ok(workspace);
        }
        // Creates that a new limit refuses must not each count what was there before anything was counted.
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
    ports.known.forget(&[id.0].into());
    Ok(workspace)
}
