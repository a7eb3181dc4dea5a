//! Accepting an invitation.

use serde_json::json;

use super::find_invitation::{find_open, refused, used};
use super::login::{login_response, new_session, principal_at};
use super::second_factor::{FirstProof, MAX_CHALLENGES, PendingStep, TimeAndTries, has_second_factor, new_challenge};
use super::sessions::end_surplus;
use super::{Client, HashTurn, NewPassword, Password, SignIn, sign_ins};
use crate::Error;
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::members::MemberStatus;
use crate::identity::workspaces::{PasswordHash, User};
use crate::kernel::input::{Line, fields};
use crate::ports::{Ports, transact_in};

fields! {
    /// The body of an acceptance.
    pub struct AcceptanceFields {
        /// The token of the e-mailed link.
        token: Line<200> = required,
        /// The user's name; an existing account keeps its name.
        name: Line<120> = required,
        /// The password to set, or the password of the existing account.
        password: Password = required,
    }
}

/// Accepts an invitation and starts a session in the workspace, or the second step for an account with a second factor.
///
/// # Errors
/// [`Error::Invalid`] for an unknown or expired token, or for a wrong password of an existing account;
/// [`Error::CapabilityConsumed`] for a used token; [`Error::AddressNotAllowed`] from a network that the workspace does not
/// allow.
pub async fn accept_invitation(ports: &Ports, client: &Client, fields: AcceptanceFields) -> Result<SignIn, Error> {
    let (Some(token), Some(name), Some(password)) = (fields.token.set(), fields.name.set(), fields.password.set())
    else {
        return Err(refused());
    };
    let lookup = find_open(ports, client, token.as_str()).await?;
    let verified = existing_or_new_hash(ports, client, &lookup.user, password).await?;
    let is_new = lookup.user.password.is_none();
    let user = User {
        name: if is_new { name.as_str().to_owned() } else { lookup.user.name.clone() },
        password: Some(verified.clone()),
        ..lookup.user
    };
    let (session_token, session) = new_session(ports, user.id, client);
    // Accepting an invitation must not bypass the second factor.
    let awaits = PendingStep::Code(FirstProof::Password);
    let challenge = has_second_factor(ports, user.id)
        .await?
        .then(|| new_challenge(ports, user.id, awaits, TimeAndTries::new(ports)));
    let (pending, challenge) = challenge.unzip();
    let entry = AuditEntry::new(
        ports,
        &principal_at(&user, client.address),
        AuditAction::MemberJoined,
        AuditSubject::member(user.id),
        json!({}),
    );
    let (stored, profile, now) = (session.clone(), user.clone(), ports.clock.now());
    let (owned_ports, workspace, owned_client) = (ports.clone(), lookup.workspace.clone(), client.clone());
    let (lookup_id, used_lookup_id) = (lookup.invitation.lookup_id.clone(), lookup.invitation.lookup_id);
    let role = transact_in(ports, lookup.workspace.id, move |tx| {
        if !tx.members().use_invitation(profile.id, &lookup_id, now)? {
            return Ok(None);
        }
        let mut record = tx.members().get_for_update(profile.id)?.ok_or_else(refused)?;
        if record.member.status() != MemberStatus::Invited {
            return Err(refused());
        }
        record.member.join(now);
        tx.members().save(&record.member)?;
        if is_new && !tx.members().set_profile(&profile)? {
            let message = "an account was created for this address in the meantime: send its password";
            return Err(Error::invalid("password", "incorrect", message));
        }
        let is_stored = if let Some(challenge) = &challenge {
            tx.challenges().insert(challenge, Some(&verified), MAX_CHALLENGES)?
        } else {
            sign_ins::note_sign_in(&owned_ports, tx, &profile, &workspace, &owned_client, now)?;
            tx.sessions().insert(&stored, Some(&verified))?
        };
        if !is_stored {
            return Err(Error::InvalidLogin);
        }
        end_surplus(tx, stored.user_id)?;
        // The role may have changed since the invitation was read.
        let role = record.member.role;
        tx.audit().append(&entry.with(json!({ "role": role })))?;
        Ok(Some(role))
    })
    .await?;
    match role {
        Some(role) => Ok(match pending {
            Some(pending) => SignIn::SecondFactor(pending),
            None => SignIn::Done(login_response(session_token, &session, &user, &lookup.workspace, role)),
        }),
        // A concurrent request used or withdrew the invitation.
        None if ports.directory.find_invitation(&used_lookup_id).await?.is_some() => Err(used()),
        None => Err(refused()),
    }
}

/// The password hash: the existing account's if the password matches, or a new one.
async fn existing_or_new_hash(
    ports: &Ports,
    client: &Client,
    user: &User,
    password: &Password,
) -> Result<PasswordHash, Error> {
    // A client with the token of an invitation counts as known.
    let turn = HashTurn::known(client.address);
    let Some(hash) = &user.password else {
        return ports.passwords.hash(&NewPassword::parse(password.reveal())?, turn).await;
    };
    if ports.passwords.verify(password, Some(hash), turn).await? {
        return Ok(hash.clone());
    }
    Err(Error::invalid("password", "incorrect", "an account with this address already exists: send its password"))
}
