//! The caller's own account.

use serde::Serialize;
use serde_json::json;
use time::OffsetDateTime;

use super::UserAccount;
use crate::identity::access::{ManageOwnAccount, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::workspaces::{Role, Workspace};
use crate::kernel::input::{Line, fields, timestamp_json};
use crate::ports::{Ports, transact};
use crate::{Error, UserId, WorkspaceId};

fields! {
    /// The body of an account's update.
    pub struct AccountFields {
        /// The user's name, in all workspaces.
        name: Line<120> = required,
    }
}

/// A workspace as its members see it in their account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AccountView {
    pub id: UserId,
    pub email: String,
    pub name: String,
    /// The workspace of the session.
    pub workspace: AccountWorkspace,
    /// The role in it.
    pub role: Role,
    #[serde(with = "timestamp_json")]
    pub created_at: OffsetDateTime,
}

/// Reads the caller's account.
///
/// # Errors
/// [`Error::Unauthorized`] if the user is no longer in the workspace.
pub async fn read(ports: &Ports, permit: &Permit<ManageOwnAccount>) -> Result<AccountView, Error> {
    let (_, user) = permit.session().ok_or(Error::SessionNeeded)?;
    let UserAccount { user, memberships } = ports.directory.find_user(user).await?.ok_or(Error::Unauthorized)?;
    let here = memberships.iter().find(|one| one.workspace.id == permit.workspace_id()).ok_or(Error::Unauthorized)?;
    Ok(AccountView {
        id: user.id,
        email: user.email,
        name: user.name,
        workspace: AccountWorkspace::from(&here.workspace),
        role: here.role,
        created_at: user.created_at,
    })
}

/// Changes the caller's name, which all their workspaces see.
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
    let name = fields.name.set().map_or_else(|| before.name.clone(), |name| name.as_str().to_owned());
    if name == before.name {
        return Ok(before);
    }
    let details = json!({ "name": { "from": before.name, "to": name } });
    let subject = AuditSubject::member(user);
    let entry = AuditEntry::new(ports, &permit.principal(), AuditAction::AccountUpdated, subject, details);
    let new = name.clone();
    transact(ports, permit, move |tx| {
        tx.members().rename(user, &new)?;
        tx.credential_changed(user.0)?;
        Ok(tx.audit().append(&entry)?)
    })
    .await?;
    ports.credential_cache.invalidate(&[user.0].into());
    Ok(AccountView { name, ..before })
}
