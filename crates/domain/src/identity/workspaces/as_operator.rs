//! Operators manage workspaces from their own session (interface 23).
//!
//! The permit is for the workspace that the operator signed in to. The transaction enters the other workspace only for the change,
//! so that the change is in the audit logs of both.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use time::OffsetDateTime;

use super::change::{Changes, Recorder, WorkspaceChange, confirm};
use super::manage::{SLUG_RULE, blank, creation_entry, is_slug};
use super::status::{KEPT_AFTER_DELETION, StatusChange};
use super::{LimitsObject, NewWorkspace, PlanChange, Role, SettableStatus, User, Workspace, WorkspaceStatus};
use crate::identity::access::{ManageMembers, OperateService, Permit, Principal};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::members::{Member, MemberStatus, PreparedInvitation};
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::input::schema::{OptionalTimestampText, TimestampText};
use crate::kernel::input::{EmailAddress, Field, InputMode, Line, Problems, fields};
use crate::kernel::versions::ExpectedVersion;
use crate::limits::{Plan, WorkspaceLimits};
use crate::ports::{Operator, Ports, StoreError, Tx, transact, transact_idempotent};
use crate::{Error, UserId, WorkspaceId};

fields! {
    /// The body of a workspace's creation.
    pub struct NewWorkspaceFields {
        /// Display name of the workspace.
        name: Line<120> = required,
        /// Short name: lowercase letters, digits and hyphens.
        slug: Line<63> = required,
        /// Plan; the service's default if not sent.
        plan: Plan,
        /// The address of the first owner, who is invited by e-mail.
        owner_email: EmailAddress,
    }
    together NewWorkspaceFields::check_slug;
}

impl NewWorkspaceFields {
    fn check_slug(&self, _: InputMode, problems: &mut Problems) {
        if self.slug.set().is_some_and(|slug| !is_slug(slug.as_str())) {
            problems.rule("slug", "invalid_slug", SLUG_RULE);
        }
    }

    fn blank_workspace(&self, ports: &Ports) -> Result<Workspace, Error> {
        let text = |line: Option<&str>| line.unwrap_or_default().to_owned();
        let new = NewWorkspace {
            name: text(self.name.set().map(Line::as_str)),
            slug: text(self.slug.set().map(Line::as_str)),
            plan: self.plan.set().copied().unwrap_or(ports.settings.default_plan),
        };
        blank(ports, &new)
    }
}

fields! {
    /// The body of a workspace's update.
    pub struct WorkspaceChangeFields {
        /// New plan; null resets it to the default.
        plan: Plan,
        /// Limits to change; null resets all of them to the plan's.
        limits: LimitsObject,
        /// New status. To delete a workspace, use DELETE, which requires its slug.
        status: SettableStatus = required,
    }
}

fields! {
    /// The body of a deletion.
    pub struct DeletionFields {
        /// The slug of the workspace, as a confirmation.
        slug: Line<63> = required,
    }
}

/// A workspace as operators see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "OperatorWorkspace")]
pub struct OperatorWorkspaceView {
    pub id: WorkspaceId,
    pub slug: String,
    pub name: String,
    pub plan: Plan,
    pub status: WorkspaceStatus,
    /// The limits set for the workspace; null means the plan's.
    pub limits: WorkspaceLimits,
    /// When a deleted workspace is erased.
    #[serde(with = "OptionalTimestampText")]
    pub erase_at: Option<OffsetDateTime>,
    pub version: i64,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    #[serde(with = "TimestampText")]
    pub updated_at: OffsetDateTime,
}

impl From<Workspace> for OperatorWorkspaceView {
    fn from(workspace: Workspace) -> Self {
        Self {
            id: workspace.id,
            slug: workspace.slug,
            name: workspace.name,
            plan: workspace.plan,
            status: workspace.status,
            limits: workspace.limits,
            erase_at: workspace.erasure.map(|erasure| erasure.due_at),
            version: workspace.version,
            created_at: workspace.created_at,
            updated_at: workspace.updated_at,
        }
    }
}

/// A new workspace with the invitation of its first owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CreatedWorkspace {
    #[serde(flatten)]
    pub workspace: OperatorWorkspaceView,
    pub owner: Option<InvitedOwner>,
}

/// The first owner, who has not accepted yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InvitedOwner {
    pub id: UserId,
    pub email: String,
    pub status: MemberStatus,
}

/// The response to a deletion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WorkspaceDeletion {
    pub id: WorkspaceId,
    /// Always true.
    pub deleted: bool,
    /// When it is erased; until then, changing its status restores it.
    #[serde(with = "OptionalTimestampText")]
    pub erase_at: Option<OffsetDateTime>,
}

/// A workspace, in any status.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn read_as_operator(
    ports: &Ports,
    _: &Permit<OperateService>,
    id: WorkspaceId,
) -> Result<OperatorWorkspaceView, Error> {
    find_existing(ports, id).await.map(OperatorWorkspaceView::from)
}

async fn find_existing(ports: &Ports, id: WorkspaceId) -> Result<Workspace, Error> {
    ports.directory.find_workspace(&id.to_string()).await?.ok_or(Error::NotFound("workspace"))
}

/// Creates a workspace, and invites its first owner.
///
/// # Errors
/// [`Error::Invalid`] for a bad slug, [`Error::Duplicate`] for one that is in use, even by a workspace that is deleted but not
/// erased; [`Error::TooManyEmails`] if the owner cannot be invited.
pub async fn create_as_operator(
    ports: &Ports,
    permit: &Permit<OperateService>,
    once: Option<IdempotentRequest<CreatedWorkspace>>,
    fields: NewWorkspaceFields,
) -> Result<IdempotentResult<CreatedWorkspace>, Error> {
    let (workspace, operator) = (fields.blank_workspace(ports)?, permit.operator());
    let new_permit = operator.permit::<ManageMembers>(workspace.clone());
    let entry = creation_entry(ports, &new_permit.principal(), &workspace);
    let owner = fields.owner_email.set();
    let invitation = owner.map(|email| PreparedInvitation::new(ports, &new_permit, email, Role::Owner)).transpose()?;
    let recorder = Recorder::new(ports, &permit.principal(), workspace.id);
    let details = entry.details.clone();
    let (acting, now) = (permit.clone(), ports.clock.now());
    transact_idempotent(ports, permit, once, move |tx| {
        acting.confirm_operator(tx, now)?;
        recorder.record(tx, &[(AuditAction::WorkspaceCreated, details.clone().into())])?;
        let mut owner = None;
        tx.enter(&operator, workspace.id, &mut |tx| {
            tx.workspace().insert(&workspace)?;
            tx.audit().append(&entry)?;
            let invited = invitation.as_ref().map(|invitation| invitation.send(tx)).transpose()?;
            owner = invited.map(|view| InvitedOwner { id: view.id, email: view.email, status: view.status });
            Ok(())
        })?;
        Ok(CreatedWorkspace { workspace: workspace.clone().into(), owner })
    })
    .await
}

/// Creates a workspace with the caller as its owner and only member, from another workspace such as the demo (interface 26.72).
/// No one is invited.
///
/// # Errors
/// [`Error::Invalid`] for a bad slug, [`Error::Duplicate`] for one that is in use; [`Error::Unauthorized`] and [`Error::Forbidden`]
/// if the session has ended or its user is no longer an operator.
pub async fn create_own(
    ports: &Ports,
    permit: &Permit<OperateService>,
    fields: NewWorkspaceFields,
) -> Result<Workspace, Error> {
    let (_, user) = permit.session().ok_or(Error::SessionNeeded)?;
    let owner: User = ports.directory.find_user(user).await?.ok_or(Error::Unauthorized)?.user;
    let (workspace, operator) = (fields.blank_workspace(ports)?, permit.operator());
    let principal = operator.permit::<ManageMembers>(workspace.clone()).principal();
    let creation = creation_entry(ports, &principal, &workspace);
    let details = json!({ "email": owner.email, "role": Role::Owner });
    let joining =
        AuditEntry::new(ports, &principal, AuditAction::MemberCreated, AuditSubject::member(owner.id), details);
    let recorder = Recorder::new(ports, &permit.principal(), workspace.id);
    let (acting, stored, now) = (permit.clone(), workspace.clone(), ports.clock.now());
    transact(ports, permit, move |tx| {
        acting.confirm_operator(tx, now)?;
        recorder.record(tx, &[(AuditAction::WorkspaceCreated, creation.details.clone().into())])?;
        tx.enter(&operator, stored.id, &mut |tx| {
            tx.workspace().insert(&stored)?;
            tx.members().add(&owner, &Member::joined(owner.id, Role::Owner, now))?;
            tx.audit().append(&creation)?;
            Ok(tx.audit().append(&joining)?)
        })
    })
    .await?;
    Ok(workspace)
}

/// Changes plan, limits and status of a workspace. Its credentials are affected within two seconds.
///
/// # Errors
/// [`Error::NotFound`], [`Error::ConcurrentUpdate`]; [`Error::InvalidStateChange`] for a workspace that is being erased;
/// [`Error::Conflict`] if it would lock out the operator's own session.
pub async fn update_as_operator(
    ports: &Ports,
    permit: &Permit<OperateService>,
    id: WorkspaceId,
    expected: ExpectedVersion,
    fields: WorkspaceChangeFields,
) -> Result<OperatorWorkspaceView, Error> {
    let limits = match &fields.limits {
        Field::Absent => Vec::new(),
        Field::Null => LimitsObject::reset_all(),
        Field::Set(limits) => limits.changes(),
    };
    let status = fields.status.set().copied();
    let plan = PlanChange { plan: fields.plan.or_default(ports.settings.default_plan), limits };
    let change = WorkspaceChange { plan, status: status.map(StatusChange::Set), expected, needs_owner: false };
    let locks_out = status.is_some_and(|status| status != SettableStatus::Active);
    let workspace = find_existing(ports, id).await?;
    change_from_outside(ports, permit, &workspace, change, locks_out).await.map(OperatorWorkspaceView::from)
}

/// Deletes a workspace: its credentials are refused within two seconds. Until it is erased after 30 days, a change of its status
/// restores it.
///
/// # Errors
/// Like [`update_as_operator`]; [`Error::Invalid`] if the slug is not the workspace's; [`Error::InvalidStateChange`] if it is
/// already deleted.
pub async fn delete_as_operator(
    ports: &Ports,
    permit: &Permit<OperateService>,
    id: WorkspaceId,
    expected: ExpectedVersion,
    fields: DeletionFields,
) -> Result<WorkspaceDeletion, Error> {
    let workspace = find_existing(ports, id).await?;
    confirm(&workspace, fields.slug.set().map(Line::as_str).unwrap_or_default())?;
    let status = Some(StatusChange::Delete { erase_at: ports.clock.now() + KEPT_AFTER_DELETION });
    let change = WorkspaceChange { status, expected, ..WorkspaceChange::default() };
    let deleted = change_from_outside(ports, permit, &workspace, change, true).await?;
    Ok(WorkspaceDeletion { id, deleted: true, erase_at: deleted.erasure.map(|erasure| erasure.due_at) })
}

async fn change_from_outside(
    ports: &Ports,
    permit: &Permit<OperateService>,
    workspace: &Workspace,
    change: WorkspaceChange,
    locks_out: bool,
) -> Result<Workspace, Error> {
    let id = workspace.id;
    if locks_out && id == permit.workspace_id() {
        let message = "you are signed in to this workspace: sign in to another one first";
        return Err(Error::Conflict(message.to_owned()));
    }
    let operator = permit.operator();
    let inner_recorder = Recorder::new(ports, &Principal::operator(&operator), id);
    let own_recorder = Recorder::new(ports, &permit.principal(), id);
    let (acting, now, slug) = (permit.clone(), ports.clock.now(), workspace.slug.clone());
    let changed = transact(ports, permit, move |tx| {
        acting.confirm_operator(tx, now)?;
        let (workspace, changes) = enter_and_change(tx, &operator, id, &change, &inner_recorder, now)?;
        own_recorder.record(tx, &with_slug(changes, &slug))?;
        Ok(workspace)
    })
    .await?;
    ports.credential_cache.invalidate(&[id.0].into());
    Ok(changed)
}

fn enter_and_change(
    tx: &mut dyn Tx,
    operator: &Operator,
    id: WorkspaceId,
    change: &WorkspaceChange,
    recorder: &Recorder,
    now: OffsetDateTime,
) -> Result<(Workspace, Changes), Error> {
    let mut result = None;
    tx.enter(operator, id, &mut |tx| {
        let (workspace, changes) = change.apply(tx, now)?;
        recorder.record(tx, &changes)?;
        result = Some((workspace, changes));
        Ok(())
    })?;
    result.ok_or_else(|| StoreError::Internal("the store did not enter the workspace".to_owned()).into())
}

/// Adds the slug to the changes for the operator's own log, because nothing else identifies the workspace once it is erased.
fn with_slug(mut changes: Changes, slug: &str) -> Changes {
    for (_, details) in &mut changes {
        details["slug"] = slug.into();
    }
    changes
}
