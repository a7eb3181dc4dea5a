//! Setting a new password with an e-mailed link.

use std::net::IpAddr;

use serde_json::json;
use time::{Duration, OffsetDateTime};

use super::find_account::find_account;
use super::login::principal_at;
use super::{Client, HashTurn, NewPassword, PasswordChange, PasswordProof, PasswordReset, ResetEmail};
use crate::email::link_requests::{self, RequestedLink};
use crate::email::{EmailMessage, EmailPurpose, MAX_WAITING, QueuedEmail, RESET_RESERVE};
use crate::identity::access::{PlainToken, TokenKind};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::workspaces::WorkspaceStatus;
use crate::kernel::input::{EmailAddress, Line, fields};
use crate::ports::Ports;
use crate::{Error, LinkRequestId};

pub const RESET_TTL: Duration = Duration::hours(1);
/// How long an open reset cannot be replaced by a new one.
const RESET_REUSE_WINDOW: Duration = Duration::minutes(5);

fields! {
    /// The body of a reset request.
    pub struct ResetRequestFields {
        /// The user's e-mail address.
        email: EmailAddress = required,
    }
}

fields! {
    /// The body of a reset.
    pub struct ResetFields {
        /// The token of the e-mailed link.
        token: Line<200> = required,
        /// The new password.
        new_password: NewPassword = required,
    }
}

/// Queues a request for an e-mailed link. Timing-safe: the account is not read, so the response time does not reveal
/// whether it exists.
pub async fn request_password_reset(ports: &Ports, client: &Client, fields: ResetRequestFields) -> Result<(), Error> {
    let Some(email) = fields.email.set() else {
        return Ok(());
    };
    let link = RequestedLink::PasswordReset { email: email.key().into() };
    link_requests::submit(ports, client.network(), link).await
}

/// An unused reset that expires later than this was mailed recently.
pub(crate) fn reused_resets_expire_after(now: OffsetDateTime) -> OffsetDateTime {
    now + RESET_TTL - RESET_REUSE_WINDOW
}

/// E-mails a link to a user who has a password and an accessible workspace, unless a recent link is still unused. Returns whether
/// the request is resolved.
pub(crate) async fn answer_password_reset(ports: &Ports, request: LinkRequestId, email: &str) -> Result<bool, Error> {
    let Some(account) = find_account(ports, email).await? else {
        return Ok(false);
    };
    let membership = account.memberships.iter().find(|one| one.workspace.status == WorkspaceStatus::Active);
    let (Some(membership), Some(_)) = (membership, &account.user.password) else {
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
    // E-mails are queued per workspace, so use the user's first accessible workspace.
    let queued = QueuedEmail::seal(ports, membership.workspace.email_source(EmailPurpose::Account), &message)?;
    let queued_email = QueuedEmail { queue_limit: MAX_WAITING + RESET_RESERVE, ..queued };
    // A recent link stays valid, and no other is mailed, because anyone could otherwise invalidate a user's link or flood their
    // mailbox. No other limit applies per account: anyone could use it up, and the user could not reset the password.
    ports
        .directory
        .put_password_reset(&reset, reset.expires_at - RESET_REUSE_WINDOW, Some(&ResetEmail { request, queued_email }))
        .await?;
    Ok(true)
}

fn reset_message(to: &str, link: &str) -> Option<EmailMessage> {
    let text = format!(
        "A new password was requested for this address.\n\nTo set one, open this link within an hour. It works \
         once:\n\n{link}\n\nIf you did not request it, you can ignore this e-mail: your password stays the same.\n"
    );
    EmailMessage::to_stored(to, "Your new password", &text)
}

/// Sets a new password with the token of an e-mailed link, and ends all sessions of the user.
///
/// # Errors
/// [`Error::Invalid`] for an unknown or expired token; [`Error::CapabilityConsumed`] for a used one.
pub async fn reset_password(ports: &Ports, address: Option<IpAddr>, fields: ResetFields) -> Result<(), Error> {
    let now = ports.clock.now();
    let refused = || Error::invalid("token", "invalid_token", "is not a valid link: ask for a new one");
    let token = fields.token.set().and_then(|text| PlainToken::parse_kind(TokenKind::PasswordReset, text.as_str()));
    let (Some(token), Some(new_password)) = (token, fields.new_password.set()) else {
        return Err(refused());
    };
    let (reset, account) = ports.directory.find_password_reset(token.lookup_id()).await?.ok_or_else(refused)?;
    if !reset.secret.matches(&token.hashed()) {
        return Err(refused());
    }
    if reset.used_at.is_some() {
        return Err(Error::CapabilityConsumed("this link was already used: ask for a new one"));
    }
    if reset.expires_at <= now {
        return Err(refused());
    }
    let password = ports.passwords.hash(new_password, HashTurn::known(address)).await?;
    let user = account.user;
    let principal = principal_at(&user, address);
    let entry =
        || AuditEntry::new(ports, &principal, AuditAction::PasswordReset, AuditSubject::member(user.id), json!({}));
    let entries = account.memberships.iter().map(|one| (one.workspace.id, entry())).collect();
    let by = PasswordProof::Reset(reset.lookup_id);
    let change = PasswordChange { user_id: user.id, password, email: None, by, entries, now };
    if !ports.directory.change_password(change).await? {
        return Err(Error::CapabilityConsumed("this link was already used: ask for a new one"));
    }
    ports.credential_cache.invalidate(&[user.id.0].into());
    Ok(())
}
