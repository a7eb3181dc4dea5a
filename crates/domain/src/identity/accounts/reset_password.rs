//! Setting a new password with a mailed link.

use std::net::IpAddr;

use serde_json::json;
use time::Duration;

use super::login::{count_login_attempt, principal_at};
use super::{NewPassword, PasswordChange, PasswordProof, PasswordReset, ResetEmail};
use crate::email::link_requests::{self, RequestedLink};
use crate::email::{EmailMessage, MAX_WAITING, QueuedEmail, RESET_RESERVE};
use crate::identity::access::{PlainToken, TokenKind};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::workspaces::WorkspaceStatus;
use crate::kernel::input::{EmailAddress, Line, fields};
use crate::ports::Ports;
use crate::{Error, LinkRequestId};

/// How long a reset is good.
pub const RESET_TTL: Duration = Duration::hours(1);
/// For how long an open reset is not replaced by another one.
const RESET_REUSE_WINDOW: Duration = Duration::minutes(5);

fields! {
    /// Who forgot their password.
    pub struct ResetRequestFields {
        /// Their address.
        email: EmailAddress = required,
    }
}

fields! {
    /// What a reset takes.
    pub struct ResetFields {
        /// The token of the mailed link.
        token: Line<200> = required,
        /// The password from now on.
        new_password: NewPassword = required,
    }
}

/// Asks for a link to be mailed. Nothing is looked up, so that the answer's time tells nothing.
///
/// # Errors
/// The store's.
pub async fn request_password_reset(ports: &Ports, fields: ResetRequestFields) -> Result<(), Error> {
    let Some(email) = fields.email.set() else {
        return Ok(());
    };
    link_requests::submit(ports, RequestedLink::PasswordReset { email: email.as_str().to_owned() }).await
}

/// Mails a link to a person who has a password and a workspace to go to, and not after too many tries at one account. Says
/// whether the request is over with that.
pub(crate) async fn answer_password_reset(ports: &Ports, request: LinkRequestId, email: &str) -> Result<bool, Error> {
    // Tries at one account count together, from wherever they come: nobody's mailbox is flooded.
    if count_login_attempt(ports, email).await.is_err() {
        return Ok(false);
    }
    let Some(account) = ports.directory.find_account(&email.to_lowercase()).await? else {
        return Ok(false);
    };
    let open = account.memberships.iter().find(|one| one.workspace.status == WorkspaceStatus::Active);
    let (Some(open), Some(_)) = (open, &account.user.password) else {
        return Ok(false);
    };
    let token = PlainToken::generate(TokenKind::PasswordReset, &*ports.random);
    let reset = PasswordReset {
        user_id: account.user.id,
        lookup_id: token.lookup_id().to_owned(),
        secret: token.hashed(),
        expires_at: ports.clock.now() + RESET_TTL,
        used_at: None,
    };
    let link = ports.settings.link("reset-password", &token);
    let Some(message) = reset_message(&account.user.email, &link) else {
        return Ok(false);
    };
    // A letter needs a workspace to wait in: the first one that the person can go to.
    let queued = QueuedEmail::seal(ports, open.workspace.id, &message)?;
    let queued_email = QueuedEmail { queue_limit: MAX_WAITING + RESET_RESERVE, ..queued };
    // A link of a moment ago stays the one: otherwise anybody could keep a person from using theirs.
    ports
        .directory
        .put_password_reset(&reset, reset.expires_at - RESET_REUSE_WINDOW, Some(&ResetEmail { request, queued_email }))
        .await?;
    Ok(true)
}

fn reset_message(to: &str, link: &str) -> Option<EmailMessage> {
    let text = format!(
        "Somebody asked for a new password for this address.\n\nTo set one, open this link within an hour; it works \
         once:\n\n{link}\n\nIf it was not you, there is nothing to do: your password stays.\n"
    );
    EmailMessage::to_stored(to, "Your new password", &text)
}

/// Sets a new password with the token of a mailed link, and ends all sessions of the person.
///
/// # Errors
/// [`Error::Invalid`] for a token that is none, or whose time is over; [`Error::CapabilityConsumed`] for a used one.
pub async fn reset_password(ports: &Ports, address: Option<IpAddr>, fields: ResetFields) -> Result<(), Error> {
    let now = ports.clock.now();
    let refused = || Error::invalid("token", "invalid_token", "is no link of ours that is still good; ask for another");
    let shown = fields.token.set().and_then(|text| PlainToken::parse_kind(TokenKind::PasswordReset, text.as_str()));
    let (Some(shown), Some(new)) = (shown, fields.new_password.set()) else {
        return Err(refused());
    };
    let found = ports.directory.find_password_reset(shown.lookup_id()).await?.ok_or_else(refused)?;
    let (reset, account) = found;
    if !reset.secret.matches(&shown.hashed()) {
        return Err(refused());
    }
    if reset.used_at.is_some() {
        return Err(Error::CapabilityConsumed("this link was used already; ask for another"));
    }
    if reset.expires_at <= now {
        return Err(refused());
    }
    let password = ports.passwords.hash(new).await?;
    let user = account.user;
    let principal = principal_at(&user, address);
    let entry =
        || AuditEntry::new(ports, &principal, AuditAction::PasswordReset, AuditSubject::member(user.id), json!({}));
    let entries = account.memberships.iter().map(|one| (one.workspace.id, entry())).collect();
    let change = PasswordChange { user_id: user.id, password, by: PasswordProof::Reset(reset.lookup_id), entries, now };
    if !ports.directory.change_password(change).await? {
        return Err(Error::CapabilityConsumed("this link was used already; ask for another"));
    }
    ports.credential_cache.invalidate(&[user.id.0].into());
    Ok(())
}
