//! Where users signed in from, to recognize known networks and new devices.

use std::net::IpAddr;

use serde_json::json;
use time::OffsetDateTime;

use super::login::principal_at;
use super::{Client, UserAccount};
use crate::Error;
use crate::email::{EmailMessage, EmailSource, QueuedEmail};
use crate::identity::access::{Actor, ActorKind};
use crate::identity::audit::{AuditAction, AuditActor, AuditEntry, AuditSubject};
use crate::identity::workspaces::{User, Workspace};
use crate::kernel::input::format_timestamp;
use crate::limits::AddressGroup;
use crate::ports::{Ports, Tx};

/// Maximum places stored per user; above it, the least recently used one is dropped.
pub const MAX_SIGN_INS: u32 = 50;
/// Maximum workspaces whose audit log records a failed sign-in.
const MAX_NOTED_WORKSPACES: usize = 20;

/// A place that a user signed in from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignInPlace {
    /// The IPv4 address or the IPv6 /56.
    pub network: AddressGroup,
    /// The device, such as `Firefox on Linux`.
    pub device: String,
}

impl Client {
    /// The network that sign-ins and attempts are recorded by.
    pub fn network(&self) -> AddressGroup {
        AddressGroup::from(self.address).site()
    }

    fn sign_in_place(&self) -> SignInPlace {
        SignInPlace { network: self.network(), device: self.device() }
    }
}

/// Whether to notify the user. Returns false for the first sign-in, and if the user has used this device and an address of the same
/// provider before: addresses of one provider change too often.
fn is_new(current: &SignInPlace, earlier: &[SignInPlace]) -> bool {
    let knows_device = earlier.iter().any(|one| one.device == current.device);
    let knows_provider = earlier.iter().any(|one| one.network.provider() == current.network.provider());
    let is_known = knows_device && knows_provider;
    !is_known && !earlier.is_empty()
}

/// Records a sign-in in its transaction, and e-mails the user if it is from a new device.
pub(in crate::identity) fn note_sign_in(
    ports: &Ports,
    tx: &mut dyn Tx,
    user: &User,
    workspace: &Workspace,
    client: &Client,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let current = client.sign_in_place();
    let earlier = tx.sessions().note_sign_in(user.id, &current, MAX_SIGN_INS, now)?;
    if !is_new(&current, &earlier) {
        return Ok(());
    }
    if let Some(message) = new_device_message(ports, user, workspace, client, now) {
        tx.emails().enqueue(&QueuedEmail::seal(ports, EmailSource::account(workspace.id), &message)?)?;
    }
    Ok(())
}

fn new_device_message(
    ports: &Ports,
    user: &User,
    workspace: &Workspace,
    client: &Client,
    now: OffsetDateTime,
) -> Option<EmailMessage> {
    let address = client.address.map_or_else(|| "unknown".to_owned(), |address| address.to_canonical().to_string());
    let (time, device, url) = (format_timestamp(now), client.device(), &ports.settings.public_url);
    let text = format!(
        "Your account at {url} was signed in to from a device or network that you have not used before.\n\n\
         Time: {time}\nAddress: {address}\nDevice: {device}\nWorkspace: {}\n\n\
         If this was you, you do not need to do anything.\n\n\
         If it was not you, someone knows your password: change it now, which also ends all sessions. If you can no \
         longer sign in, request a new password.\n",
        workspace.name
    );
    EmailMessage::to_stored(&user.email, "A new sign-in to your account", &text)
}

/// Remembers a failed sign-in for the audit logs of the user's workspaces. Nothing is written now, so that the response time does
/// not depend on it.
pub(super) fn note_refused(ports: &Ports, account: &UserAccount, address: Option<IpAddr>, device: &str) {
    let user = &account.user;
    for membership in account.memberships.iter().take(MAX_NOTED_WORKSPACES) {
        let subject = AuditSubject::member(user.id);
        let entry = AuditEntry::new(
            ports,
            &principal_at(user, address),
            AuditAction::SessionRefused,
            subject,
            json!({ "device": device }),
        );
        // The client did not prove that it is this user.
        let actor = AuditActor { actor: Actor { kind: ActorKind::System, id: None }, name: "not signed in".to_owned() };
        ports.refusals.note(membership.workspace.id, AuditEntry { actor, ..entry });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place_at(address: &str, device: &str) -> SignInPlace {
        let address: IpAddr = address.parse().unwrap();
        SignInPlace { network: AddressGroup::from(address).site(), device: device.to_owned() }
    }

    #[test]
    fn a_known_device_at_a_known_provider_is_not_new() {
        let earlier = [place_at("198.51.100.1", "Firefox on Linux"), place_at("2001:db8:1::1", "Safari on iPhone")];
        for (address, device, expected) in [
            ("198.51.100.1", "Firefox on Linux", false),
            ("198.51.7.7", "Firefox on Linux", false),
            ("2001:db8:2::9", "Firefox on Linux", false),
            ("203.0.113.9", "Firefox on Linux", true),
            ("2001:db9::1", "Safari on iPhone", true),
            ("198.51.100.1", "curl", true),
        ] {
            assert_eq!(is_new(&place_at(address, device), &earlier), expected, "{address} {device}");
        }
        assert!(!is_new(&place_at("203.0.113.9", "curl"), &[]), "the first sign-in");
    }
}
