//! One-time links that sign a user in on the machine of the service itself. Someone who can start the service or run its commands
//! there does not need a password (interface 26.4).

use serde_json::json;
use time::{Duration, OffsetDateTime};

use super::find_account::find_account;
use super::login::{NewSession, start_session};
use super::proof::{Proof, ask_for_code};
use super::second_factor::TimeAndTries;
use super::{Client, SignIn, has_second_factor};
use crate::identity::access::{HashedSecret, ManageMembers, PlainToken, TokenKind};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::workspaces::{Role, User, Workspace, WorkspaceStatus};
use crate::ports::{Operator, Ports, transact_in};
use crate::{Error, UserId};

pub const LINK_TTL: Duration = Duration::minutes(15);

/// A link as stored; at most one per member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInLink {
    pub user_id: UserId,
    /// The part of the token by which it is looked up.
    pub lookup_id: String,
    /// Hash of the token's secret.
    pub secret: HashedSecret,
    pub expires_at: OffsetDateTime,
    pub used_at: Option<OffsetDateTime>,
}

/// A link found by lookup id; its user is an active member of the workspace.
#[derive(Debug, Clone)]
pub struct SignInLinkLookup {
    pub link: SignInLink,
    pub workspace: Workspace,
    pub user: User,
    pub role: Role,
}

/// Creates a link for an active member. It replaces the member's previous link.
///
/// # Errors
/// [`Error::NotFound`] unless the address belongs to an active member; [`Error::Conflict`] if the workspace is not active.
pub async fn issue(
    ports: &Ports,
    operator: &Operator,
    workspace: &Workspace,
    email: &str,
) -> Result<PlainToken, Error> {
    if workspace.status != WorkspaceStatus::Active {
        return Err(Error::Conflict(format!("cannot sign in to a workspace that is {}", workspace.status)));
    }
    let account = find_account(ports, email).await?.ok_or(Error::NotFound("user"))?;
    if !account.memberships.iter().any(|one| one.workspace.id == workspace.id) {
        return Err(Error::NotFound("member"));
    }
    let user_id = account.user.id;
    let token = PlainToken::generate(TokenKind::SignInLink, &*ports.random);
    let link = SignInLink {
        user_id,
        lookup_id: token.lookup_id().to_owned(),
        secret: token.hashed(),
        expires_at: ports.clock.now() + LINK_TTL,
        used_at: None,
    };
    let principal = operator.permit::<ManageMembers>(workspace.clone()).principal();
    let subject = AuditSubject::member(user_id);
    let entry = AuditEntry::new(ports, &principal, AuditAction::SignInLinkIssued, subject, json!({}));
    transact_in(ports, workspace.id, move |tx| {
        tx.sessions().put_link(&link)?;
        Ok(tx.audit().append(&entry)?)
    })
    .await?;
    Ok(token)
}

/// Finds the user and workspace of a link without consuming it, because link previews open pages too.
///
/// # Errors
/// [`Error::Forbidden`] from another machine, or through an untrusted proxy; [`Error::Invalid`] for an unknown or expired link;
/// [`Error::CapabilityConsumed`] for a used one; [`Error::AddressNotAllowed`].
pub async fn find(ports: &Ports, client: &Client, token: &str) -> Result<SignInLinkLookup, Error> {
    let refused = || Error::invalid("token", "invalid_token", "is not a valid link: ask for a new one");
    // Check the address first, so that clients on other machines do not learn whether the link exists.
    if !client.address.is_some_and(|address| address.to_canonical().is_loopback()) {
        let message = "this link works only on the machine that runs the service: open it in a browser there";
        return Err(Error::Forbidden(message.to_owned()));
    }
    // A proxy on this machine forwards requests from other machines.
    if client.is_behind_unlisted_proxy {
        let message = "this request came through a proxy that is not in SERVICE_TRUSTED_PROXIES: add it there, or open \
                       this link at the service's own address";
        return Err(Error::Forbidden(message.to_owned()));
    }
    let token = PlainToken::parse_kind(TokenKind::SignInLink, token).ok_or_else(refused)?;
    let lookup = ports.directory.find_sign_in_link(token.lookup_id()).await?;
    let lookup = lookup.filter(|lookup| lookup.link.secret.matches(&token.hashed())).ok_or_else(refused)?;
    if lookup.link.used_at.is_some() {
        return Err(used());
    }
    if lookup.link.expires_at <= ports.clock.now() || lookup.workspace.status != WorkspaceStatus::Active {
        return Err(refused());
    }
    if !lookup.workspace.allowed_networks.allow(client.address) {
        return Err(Error::AddressNotAllowed);
    }
    Ok(lookup)
}

fn used() -> Error {
    Error::CapabilityConsumed("this link was already used: ask for a new one")
}

/// Signs in with a link and consumes it. It replaces the password, but not the second factor.
///
/// # Errors
/// Like [`find`].
pub async fn redeem(ports: &Ports, client: &Client, token: &str) -> Result<SignIn, Error> {
    let SignInLinkLookup { link, workspace, user, role } = find(ports, client, token).await?;
    let proof = Proof::Link(link.lookup_id);
    if has_second_factor(ports, user.id).await? {
        let pending = ask_for_code(ports, &user, &workspace, proof, TimeAndTries::new(ports)).await?;
        return pending.map(SignIn::SecondFactor).ok_or_else(used);
    }
    let details = json!({ "by": "sign_in_link" });
    let session = NewSession { user: &user, workspace: &workspace, role, proof, details };
    start_session(ports, client, session).await?.map(SignIn::Done).ok_or_else(used)
}
