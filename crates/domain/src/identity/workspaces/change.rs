//! Changes of a workspace that only operators make: plan, limits and status.

use std::sync::Arc;

use serde_json::{Value as Json, json};
use time::OffsetDateTime;

use super::status::StatusChange;
use super::{DeletionFields, KEPT_AFTER_DELETION, Role, SettableStatus, Workspace};
use crate::identity::access::{ManageWorkspace, Permit, Principal};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::input::{Line, format_timestamp};
use crate::kernel::versions::ExpectedVersion;
use crate::limits::quota::month_of;
use crate::limits::{LimitName, Plan};
use crate::ports::{Ids, Ports, Tx, transact};
use crate::{AuditEntryId, Error, WorkspaceId};

/// A change of a workspace's plan and limits (interface 6.1, 6.12 and 18.12).
#[derive(Debug, Clone, Default)]
pub struct PlanChange {
    pub plan: Option<Plan>,
    /// Limits to set; `None` resets one to the plan's.
    pub limits: Vec<(LimitName, Option<u64>)>,
}

/// A change that an operator makes.
#[derive(Debug, Clone, Default)]
pub(super) struct WorkspaceChange {
    pub(super) plan: PlanChange,
    pub(super) status: Option<StatusChange>,
    pub(super) expected: ExpectedVersion,
    /// Whether the change, such as a deletion, needs an owner of the workspace. Checked in the transaction.
    pub(super) needs_owner: bool,
}

/// The changes for audit logs: actions with details.
pub(super) type Changes = Vec<(AuditAction, Json)>;

/// Writes changes to audit logs.
#[derive(Clone)]
pub(super) struct Recorder {
    ids: Arc<dyn Ids>,
    blank: AuditEntry,
}

impl Recorder {
    pub(super) fn new(ports: &Ports, principal: &Principal, workspace: WorkspaceId) -> Self {
        let subject = AuditSubject::workspace(workspace);
        let blank = AuditEntry::new(ports, principal, AuditAction::WorkspaceUpdated, subject, json!({}));
        Self { ids: Arc::clone(&ports.ids), blank }
    }

    /// Adds the entries to the log of the transaction's workspace.
    pub(super) fn record(&self, tx: &mut dyn Tx, changes: &[(AuditAction, Json)]) -> Result<(), Error> {
        for (action, details) in changes {
            let id = AuditEntryId(self.ids.new_id());
            let entry = AuditEntry { id, action: *action, ..self.blank.clone() };
            tx.audit().append(&entry.with(details.clone()))?;
        }
        Ok(())
    }
}

impl WorkspaceChange {
    /// Applies the change to the transaction's workspace and invalidates its cached credentials. Returns the workspace and the
    /// changes.
    pub(super) fn apply(&self, tx: &mut dyn Tx, now: OffsetDateTime) -> Result<(Workspace, Changes), Error> {
        let stored = tx.workspace().get_for_update()?;
        self.expected.check(stored.version)?;
        let mut workspace = stored.clone();
        workspace.change_plan(&self.plan);
        let mut changes = Changes::new();
        if workspace != stored {
            // Count existing records once now, rather than at each creation that a new limit rejects.
            tx.quota().begin(month_of(now))?;
            let details = json!({
                "plan": { "from": stored.plan, "to": workspace.plan },
                "limits": { "from": stored.limits, "to": workspace.limits },
            });
            changes.push((AuditAction::WorkspaceUpdated, details));
        }
        if let Some(status) = self.status {
            let before = workspace.clone();
            workspace.change_status(status, now)?;
            if workspace != before {
                let mut details = json!({ "status": { "from": stored.status, "to": workspace.status } });
                if let Some(erasure) = workspace.erasure {
                    details["erased_after"] = json!(format_timestamp(erasure.due_at));
                }
                changes.push((status.action(), details));
            }
        }
        if !changes.is_empty() {
            workspace.touch(now);
            tx.workspace().save(&workspace)?;
            tx.credential_changed(workspace.id.0)?;
        }
        Ok((workspace, changes))
    }
}

impl Workspace {
    pub(super) fn change_plan(&mut self, change: &PlanChange) {
        self.plan = change.plan.unwrap_or(self.plan);
        change.limits.iter().for_each(|(name, value)| self.limits.set(*name, *value));
    }
}

/// Changes the permit's workspace. Its credentials are affected within two seconds.
pub(super) async fn change_workspace(
    ports: &Ports,
    permit: &Permit<ManageWorkspace>,
    change: WorkspaceChange,
) -> Result<Workspace, Error> {
    let (id, now) = (permit.workspace_id(), ports.clock.now());
    let (recorder, acting) = (Recorder::new(ports, &permit.principal(), id), permit.clone());
    let workspace = transact(ports, permit, move |tx| {
        if change.needs_owner && acting.confirm(tx, now)? != Role::Owner {
            return Err(Error::Forbidden("only an owner can delete the workspace".to_owned()));
        }
        let (workspace, changes) = change.apply(tx, now)?;
        recorder.record(tx, &changes)?;
        Ok(workspace)
    })
    .await?;
    ports.credential_cache.invalidate(&[id.0].into());
    Ok(workspace)
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

/// Activates, suspends or restricts a workspace, or restores a deleted one. Its credentials are affected within two seconds.
///
/// # Errors
/// [`Error::InvalidStateChange`] for a workspace that is being erased.
pub async fn set_status(
    ports: &Ports,
    permit: &Permit<ManageWorkspace>,
    status: SettableStatus,
) -> Result<Workspace, Error> {
    let status = Some(StatusChange::Set(status));
    change_workspace(ports, permit, WorkspaceChange { status, ..WorkspaceChange::default() }).await
}

/// Deletes a workspace: its credentials are refused within two seconds. It can be restored for 30 days, unless it must be erased
/// immediately. `confirmation` must be its slug.
///
/// # Errors
/// [`Error::Invalid`] for another slug; [`Error::InvalidStateChange`] if it is already deleted.
pub async fn delete(
    ports: &Ports,
    permit: &Permit<ManageWorkspace>,
    confirmation: &str,
    immediately: bool,
) -> Result<Workspace, Error> {
    confirm(permit.workspace(), confirmation)?;
    let now = ports.clock.now();
    let erase_at = if immediately { now } else { now + KEPT_AFTER_DELETION };
    let status = Some(StatusChange::Delete { erase_at });
    change_workspace(ports, permit, WorkspaceChange { status, ..WorkspaceChange::default() }).await
}

/// Deletes the workspace of an owner's session, and ends all sessions in it. An operator can restore it for 30 days.
///
/// # Errors
/// [`Error::Forbidden`] for a member who is not an owner; [`Error::Invalid`] for another slug; [`Error::ConcurrentUpdate`];
/// [`Error::SessionNeeded`] without a session.
pub async fn delete_own(
    ports: &Ports,
    permit: &Permit<ManageWorkspace>,
    expected: ExpectedVersion,
    fields: DeletionFields,
) -> Result<Workspace, Error> {
    permit.session().ok_or(Error::SessionNeeded)?;
    confirm(permit.workspace(), fields.slug.set().map(Line::as_str).unwrap_or_default())?;
    let status = Some(StatusChange::Delete { erase_at: ports.clock.now() + KEPT_AFTER_DELETION });
    let change = WorkspaceChange { status, expected, needs_owner: true, ..WorkspaceChange::default() };
    change_workspace(ports, permit, change).await
}

/// Deleting requires the workspace's slug, so that a wrong workspace is not deleted by mistake.
pub(super) fn confirm(workspace: &Workspace, confirmation: &str) -> Result<(), Error> {
    if confirmation == workspace.slug {
        return Ok(());
    }
    Err(Error::invalid("slug", "incorrect", "must be the slug of this workspace, to confirm the deletion"))
}
