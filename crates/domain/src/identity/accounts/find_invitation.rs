//! Finds the invitation of a link, to show or to accept it.

use super::{Client, InvitationLookup};
use crate::Error;
use crate::identity::access::{PlainToken, TokenKind};
use crate::identity::members::MemberStatus;
use crate::identity::workspaces::{Role, WorkspaceStatus};
use crate::kernel::input::{Line, fields};
use crate::ports::Ports;

fields! {
    /// What a link of an invitation brings.
    pub struct InvitationTokenFields {
        /// The token of the e-mailed link.
        token: Line<200> = required,
    }
}

/// An open invitation, as shown to a client that has its link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenInvitation {
    /// The name of the workspace.
    pub workspace: String,
    /// The name of the member who sent the invitation; `None` for an operator of the service.
    pub inviter: Option<String>,
    /// The invited address.
    pub email: String,
    pub role: Role,
    /// Whether the address has an account, whose password is needed to accept.
    pub has_account: bool,
}

/// Finds the invitation of a link without consuming it.
///
/// # Errors
/// [`Error::Invalid`] for an unknown or expired token, [`Error::CapabilityConsumed`] for a used one;
/// [`Error::AddressNotAllowed`] from a network that the workspace does not allow.
pub async fn find_invitation(
    ports: &Ports,
    client: &Client,
    fields: InvitationTokenFields,
) -> Result<OpenInvitation, Error> {
    let token = fields.token.set().ok_or_else(refused)?;
    let InvitationLookup { workspace, user, member, inviter, .. } = find_open(ports, client, token.as_str()).await?;
    // The address as the invitation spells it; the account may spell it differently.
    let (email, has_account) = (user.email.to_lowercase(), user.password.is_some());
    Ok(OpenInvitation { workspace: workspace.name, inviter, email, role: member.role, has_account })
}

/// The invitation of a token, if the client may accept it from its network.
pub(super) async fn find_open(ports: &Ports, client: &Client, token: &str) -> Result<InvitationLookup, Error> {
    let token = PlainToken::parse_kind(TokenKind::Invitation, token).ok_or_else(refused)?;
    let lookup = ports.directory.find_invitation(token.lookup_id()).await?;
    let lookup = lookup.filter(|lookup| lookup.invitation.secret.matches(&token.hashed())).ok_or_else(refused)?;
    if lookup.invitation.accepted_at.is_some() {
        return Err(used());
    }
    if !is_open(&lookup, ports) {
        return Err(refused());
    }
    if !lookup.workspace.allowed_networks.allow(client.address) {
        return Err(Error::AddressNotAllowed);
    }
    Ok(lookup)
}

pub(super) fn refused() -> Error {
    Error::invalid("token", "invalid_token", "is not a valid invitation: ask for a new one")
}

pub(super) const fn used() -> Error {
    Error::CapabilityConsumed("this invitation was already used")
}

fn is_open(lookup: &InvitationLookup, ports: &Ports) -> bool {
    ports.clock.now() < lookup.invitation.expires_at
        && lookup.workspace.status == WorkspaceStatus::Active
        && lookup.member.status() == MemberStatus::Invited
}
