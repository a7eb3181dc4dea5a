//! Signing in by steps on a page: first the password, then the workspace if the user is in several (interface 26.70).

use super::login::{VerifiedUser, begin, choose, verify};
use super::proof::ask_for_workspace;
use super::second_factor::{PendingStep, TimeAndTries, refused};
use super::{AccountWorkspace, Client, LoginFields, Membership, PendingSignIn, SignIn, UserAccount};
use crate::Error;
use crate::identity::access::{PlainToken, TokenKind};
use crate::identity::workspaces::WorkspaceStatus;
use crate::kernel::input::{Line, fields};
use crate::ports::{Ports, transact_in};

fields! {
    /// The form that chooses a workspace.
    pub struct WorkspaceChoiceFields {
        /// The token from the first step.
        token: Line<200> = required,
        /// Slug or id of the workspace.
        workspace: Line<63> = required,
    }
}

/// The result of the right password.
#[derive(Debug)]
pub enum FirstStep {
    /// A session, or a second factor.
    Entered(SignIn),
    /// The user is a member of several workspaces and named none.
    Choice(WorkspaceChoice),
}

/// The workspaces that a user can sign in to, with a token that replaces the password.
#[derive(Debug)]
pub struct WorkspaceChoice {
    pub pending: PendingSignIn,
    /// In a stable order.
    pub workspaces: Vec<AccountWorkspace>,
}

/// Like [`login`](super::login()), but a member of several workspaces who names none can choose one without sending the password
/// again.
///
/// # Errors
/// The errors of [`login`](super::login()), except the one for a missing workspace.
pub async fn login_by_steps(ports: &Ports, client: &Client, fields: LoginFields) -> Result<FirstStep, Error> {
    let VerifiedUser { user, memberships, chosen } = verify(ports, client, fields).await?;
    if let Ok(membership) = chosen {
        return begin(ports, client, &user, membership, TimeAndTries::new(ports)).await.map(FirstStep::Entered);
    }
    let available = active_memberships(&memberships);
    let first = available.first().ok_or(Error::InvalidLogin)?;
    let pending = ask_for_workspace(ports, &user, &first.workspace).await?.ok_or(Error::InvalidLogin)?;
    let workspaces = available.iter().map(|one| AccountWorkspace::from(&one.workspace)).collect();
    Ok(FirstStep::Choice(WorkspaceChoice { pending, workspaces }))
}

fn active_memberships(memberships: &[Membership]) -> Vec<&Membership> {
    memberships.iter().filter(|one| one.workspace.status == WorkspaceStatus::Active).collect()
}

/// Continues with the chosen workspace and consumes the token. The rules of a sign-in apply: a second factor is asked for within
/// the remaining time, and the workspace must allow the network. The token of a sign-in that waits for a code is refused, because
/// the sign-in would otherwise get more attempts.
///
/// # Errors
/// [`Error::Invalid`] for a `token` that is unknown, expired or used, and for a `workspace` that is not the user's;
/// [`Error::AddressNotAllowed`]. The token can be used again after the last two.
pub async fn choose_workspace(ports: &Ports, client: &Client, fields: WorkspaceChoiceFields) -> Result<SignIn, Error> {
    let token = fields.token.set().and_then(|text| PlainToken::parse_kind(TokenKind::SecondFactor, text.as_str()));
    let (Some(token), Some(workspace)) = (token, fields.workspace.set()) else {
        return Err(refused());
    };
    let lookup = ports.directory.find_challenge(token.lookup_id()).await?;
    let is_pending = |lookup: &super::ChallengeLookup| {
        let challenge = &lookup.challenge;
        let awaits_choice = challenge.awaits == PendingStep::Workspace && ports.clock.now() < challenge.expires_at;
        challenge.secret.matches(&token.hashed()) && awaits_choice
    };
    let lookup = lookup.filter(is_pending).ok_or_else(refused)?;
    let UserAccount { memberships, .. } = ports.directory.find_user(lookup.user.id).await?.ok_or_else(refused)?;
    let chosen = choose(&memberships, Some(workspace.as_str()))
        .map_err(|_| Error::invalid("workspace", "not_found", "is not one of your workspaces"))?;
    if !chosen.workspace.allowed_networks.allow(client.address) {
        return Err(Error::AddressNotAllowed);
    }
    let remaining = lookup.challenge.remaining();
    let lookup_id = lookup.challenge.lookup_id;
    if !transact_in(ports, lookup.workspace.id, move |tx| Ok(tx.challenges().remove(&lookup_id)?)).await? {
        return Err(refused());
    }
    // The password is checked once more when the session is stored. If it has changed in the meantime, the sign-in starts again.
    begin(ports, client, &lookup.user, chosen, remaining).await.map_err(|error| match error {
        Error::InvalidLogin => refused(),
        other => other,
    })
}
