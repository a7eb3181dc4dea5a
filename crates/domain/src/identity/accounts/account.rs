//! The caller's own account.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use time::OffsetDateTime;

use super::{SecondFactor, UserAccount};
use crate::identity::access::{ManageOwnAccount, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject, differences};
use crate::identity::notifications::NotificationChoices;
use crate::identity::workspaces::{Role, Workspace};
use crate::kernel::input::schema::{OptionalTimestampText, TimestampText};
use crate::kernel::input::{Line, fields};
use crate::ports::{Ports, transact};
use crate::{Error, UserId, WorkspaceId};

fields! {
    /// The body of an account's update.
    pub struct AccountFields {
        /// The user's name, in all workspaces.
        name: Line<120> = required,
        /// Whether they get e-mails about work that others assign to them, in all workspaces.
        notify_assigned: bool,
        /// Whether they get e-mails about customer replies to their tickets, in all workspaces.
        notify_replies: bool,
    }
}

/// A workspace as its members see it in their account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AccountWorkspace {
    pub id: WorkspaceId,
    pub slug: String,
    pub name: String,
}

impl From<&Workspace> for AccountWorkspace {
    fn from(workspace: &Workspace) -> Self {
        Self { id: workspace.id, slug: workspace.slug.clone(), name: workspace.name.clone() }
    }
}

/// The caller's account as shown in the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Account")]
pub struct AccountView {
    pub id: UserId,
    pub email: String,
    pub name: String,
    /// The workspace of the session.
    pub workspace: AccountWorkspace,
    /// The role in it.
    pub role: Role,
    #[serde(flatten)]
    pub notifications: NotificationChoices,
    /// Whether the user is an operator of the service.
    pub operator: bool,
    /// Whether the user has a password. Users who signed in with a link on the machine of the service have none. Only for the
    /// console.
    #[serde(skip)]
    pub has_password: bool,
    pub second_factor: SecondFactorView,
    /// Whether the workspace requires a second factor that this user does not have.
    pub second_factor_needed: bool,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
}

/// The second factor as its user sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SecondFactor")]
pub struct SecondFactorView {
    pub enabled: bool,
    #[serde(with = "OptionalTimestampText")]
    pub enabled_at: Option<OffsetDateTime>,
    /// Unused recovery codes.
    pub recovery_codes_left: usize,
}

impl SecondFactorView {
    fn new(factor: Option<SecondFactor>) -> Self {
        let factor = factor.filter(|factor| factor.confirmed_at.is_some());
        Self {
            enabled: factor.is_some(),
            enabled_at: factor.as_ref().and_then(|factor| factor.confirmed_at),
            recovery_codes_left: factor.map_or(0, |factor| factor.recovery_codes.len()),
        }
    }
}

/// Reads the caller's account.
///
/// # Errors
/// [`Error::Unauthorized`] if the user is no longer in the workspace.
pub async fn read(ports: &Ports, permit: &Permit<ManageOwnAccount>) -> Result<AccountView, Error> {
    let (_, user) = permit.session().ok_or(Error::SessionNeeded)?;
    let UserAccount { user, memberships, is_operator } =
        ports.directory.find_user(user).await?.ok_or(Error::Unauthorized)?;
    let membership =
        memberships.iter().find(|one| one.workspace.id == permit.workspace_id()).ok_or(Error::Unauthorized)?;
    let second_factor = SecondFactorView::new(ports.directory.find_second_factor(user.id).await?);
    Ok(AccountView {
        id: user.id,
        email: user.email,
        name: user.name,
        workspace: AccountWorkspace::from(&membership.workspace),
        role: membership.role,
        notifications: user.notifications,
        operator: is_operator,
        has_password: user.password.is_some(),
        second_factor_needed: membership.workspace.demands_second_factor(membership.role) && !second_factor.enabled,
        second_factor,
        created_at: user.created_at,
    })
}

/// Changes the caller's name, which all their workspaces see, and the e-mails that they get.
///
/// # Errors
/// Like [`read`].
pub async fn update(
    ports: &Ports,
    permit: &Permit<ManageOwnAccount>,
    fields: AccountFields,
) -> Result<AccountView, Error> {
    let (_, user) = permit.session().ok_or(Error::SessionNeeded)?;
    let before = read(ports, permit).await?;
    let mut after = before.clone();
    after.apply(fields);
    if after == before {
        return Ok(before);
    }
    let subject = AuditSubject::member(user);
    let details = changes(&before, &after);
    let entry = AuditEntry::new(ports, &permit.principal(), AuditAction::AccountUpdated, subject, details);
    let (name, choices) = (after.name.clone(), after.notifications);
    transact(ports, permit, move |tx| {
        tx.members().save_account(user, &name, choices)?;
        tx.credential_changed(user.0)?;
        Ok(tx.audit().append(&entry)?)
    })
    .await?;
    ports.credential_cache.invalidate(&[user.0].into());
    Ok(after)
}

impl AccountView {
    fn apply(&mut self, fields: AccountFields) {
        let NotificationChoices { assigned, replies } = NotificationChoices::default();
        let choices = &mut self.notifications;
        fields.name.store_or(self.name.clone(), &mut self.name);
        fields.notify_assigned.store_or(assigned, &mut choices.assigned);
        fields.notify_replies.store_or(replies, &mut choices.replies);
    }
}

/// The fields that differ, each with its old and new value.
fn changes(before: &AccountView, after: &AccountView) -> serde_json::Value {
    let fields = |account: &AccountView| {
        json!({
            "name": account.name,
            "notify_assigned": account.notifications.assigned,
            "notify_replies": account.notifications.replies,
        })
    };
    differences(&fields(before), &fields(after))
}
