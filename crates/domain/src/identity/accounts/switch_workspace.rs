//! Switching to another workspace without signing in again (interface 26.6).

use serde::Serialize;
use serde_json::json;

use super::login::{NewSession, choose, start_session};
use super::proof::{Proof, ask_for_code};
use super::second_factor::TimeAndTries;
use super::{AccountWorkspace, Client, Membership, SESSION_TTL, SignIn};
use crate::Error;
use crate::identity::access::{ManageOwnAccount, Permit};
use crate::identity::workspaces::{Role, WorkspaceStatus};
use crate::ports::Ports;

/// A workspace of the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OwnWorkspace {
    #[serde(flatten)]
    pub workspace: AccountWorkspace,
    pub role: Role,
    /// Whether it is the workspace of the session.
    pub current: bool,
}

/// Lists the active workspaces in which the caller is an active member, by slug.
///
/// # Errors
/// [`Error::Unauthorized`] if the user no longer exists.
pub async fn list_workspaces(ports: &Ports, permit: &Permit<ManageOwnAccount>) -> Result<Vec<OwnWorkspace>, Error> {
    let (_, user) = permit.session().ok_or(Error::SessionNeeded)?;
    let account = ports.directory.find_user(user).await?.ok_or(Error::Unauthorized)?;
    let active = account.memberships.iter().filter(|one| one.workspace.status == WorkspaceStatus::Active);
    let to_own = |one: &Membership| OwnWorkspace {
        workspace: AccountWorkspace::from(&one.workspace),
        role: one.role,
        current: one.workspace.id == permit.workspace_id(),
    };
    Ok(active.map(to_own).collect())
}

/// Starts a session in another workspace of the caller, given by slug or id, in addition to the current one and with the same end.
/// A user who has turned a second factor on since signing in is asked for a code first. `None` for the current workspace, where
/// nothing is done or written.
///
/// # Errors
/// [`Error::NotFound`] unless it is an active workspace of the caller; [`Error::AddressNotAllowed`] from a network that the
/// workspace does not allow; [`Error::Unauthorized`] if the caller's session has ended in the meantime.
pub async fn switch_workspace(
    ports: &Ports,
    permit: &Permit<ManageOwnAccount>,
    client: &Client,
    slug_or_id: &str,
) -> Result<Option<SignIn>, Error> {
    let (id, user) = permit.session().ok_or(Error::SessionNeeded)?;
    let ends_at = permit.expires_at().ok_or(Error::SessionNeeded)?;
    let account = ports.directory.find_user(user).await?.ok_or(Error::Unauthorized)?;
    let Ok(Membership { workspace, role }) = choose(&account.memberships, Some(slug_or_id)) else {
        return Err(Error::NotFound("workspace"));
    };
    if workspace.id == permit.workspace_id() {
        return Ok(None);
    }
    if !workspace.allowed_networks.allow(client.address) {
        return Err(Error::AddressNotAllowed);
    }
    let (user, proof) = (account.user, Proof::Session { id, ends_at });
    // Switching keeps the end of the session, from which the time of the actual sign-in follows.
    let signed_in_at = ends_at - SESSION_TTL;
    let second_factor_since = ports.directory.find_second_factor(user.id).await?.and_then(|factor| factor.confirmed_at);
    if second_factor_since.is_some_and(|since| signed_in_at < since) {
        let pending = ask_for_code(ports, &user, &workspace, proof, TimeAndTries::new(ports)).await?;
        return pending.map(SignIn::SecondFactor).map(Some).ok_or(Error::Unauthorized);
    }
    let details = json!({ "by": "switch", "from": permit.workspace_id() });
    let session = NewSession { user: &user, workspace: &workspace, role, proof, details };
    start_session(ports, client, session).await?.map(SignIn::Done).map(Some).ok_or(Error::Unauthorized)
}
