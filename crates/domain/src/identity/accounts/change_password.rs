//! Changing and confirming the caller's own password, and setting the first one.

use serde_json::json;

use super::{HashTurn, NewPassword, Password, PasswordChange, PasswordProof};
use crate::identity::access::{ManageOwnAccount, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::workspaces::PasswordHash;
use crate::kernel::input::{EmailAddress, fields};
use crate::limits::{self, Bucket, Class, RateLimitSubject};
use crate::ports::{Ports, StoreError};
use crate::{Error, UserId};

fields! {
    /// The body of a password change.
    pub struct PasswordFields {
        /// The current password.
        current_password: Password = required,
        /// The new password.
        new_password: NewPassword = required,
    }
}

fields! {
    /// The body of a first password.
    pub struct FirstPasswordFields {
        /// The user's own e-mail address: from then on they sign in with it, and get e-mails there.
        email: EmailAddress = required,
        /// The new password.
        new_password: NewPassword = required,
    }
}

/// Sets a new password and ends all sessions of the user, including the current one.
///
/// # Errors
/// [`Error::Invalid`] for a wrong current password; [`Error::RateLimited`] after too many attempts of the user.
pub async fn change_password(
    ports: &Ports,
    permit: &Permit<ManageOwnAccount>,
    fields: PasswordFields,
) -> Result<(), Error> {
    let (session, user) = permit.session().ok_or(Error::SessionNeeded)?;
    let (Some(current), Some(new)) = (fields.current_password.set(), fields.new_password.set()) else {
        return Err(Error::invalid("new_password", "required", "both passwords are required"));
    };
    let hash = ports.directory.find_password(user).await?;
    let is_correct = is_own_password(ports, permit, user, current, hash.as_ref()).await?;
    let (true, Some(verified)) = (is_correct, hash) else {
        return Err(Error::invalid("current_password", "incorrect", "is not the current password"));
    };
    let by = PasswordProof::Session(session, verified);
    store(ports, permit, NewCredentials { user, new, by, email: None }).await
}

/// Sets the password and the e-mail address of a user without a password, who signed in with a link on the machine of the service.
/// The address that the service gave them is not a real mailbox. Ends all their sessions.
///
/// # Errors
/// [`Error::Conflict`] for a user who has a password; [`Error::Invalid`] for the address of another account.
pub async fn set_first_password(
    ports: &Ports,
    permit: &Permit<ManageOwnAccount>,
    fields: FirstPasswordFields,
) -> Result<(), Error> {
    let (session, user) = permit.session().ok_or(Error::SessionNeeded)?;
    let (Some(email), Some(new)) = (fields.email.set(), fields.new_password.set()) else {
        return Err(Error::invalid("new_password", "required", "an e-mail address and a password are required"));
    };
    if ports.directory.find_password(user).await?.is_some() {
        return Err(Error::Conflict("you already have a password: use it to set a new one".to_owned()));
    }
    let by = PasswordProof::First(session);
    store(ports, permit, NewCredentials { user, new, by, email: Some(email) }).await.map_err(|error| match error {
        Error::Store(StoreError::Duplicate { field: "email" }) => {
            Error::invalid("email", "duplicate", "belongs to another account: use a different address")
        }
        other => other,
    })
}

struct NewCredentials<'a> {
    user: UserId,
    new: &'a NewPassword,
    by: PasswordProof,
    /// The new address; `None` keeps the current one.
    email: Option<&'a EmailAddress>,
}

async fn store(ports: &Ports, permit: &Permit<ManageOwnAccount>, credentials: NewCredentials<'_>) -> Result<(), Error> {
    let NewCredentials { user, new, by, email } = credentials;
    let password = ports.passwords.hash(new, HashTurn::known(permit.principal().address)).await?;
    let entry = AuditEntry::new(
        ports,
        &permit.principal(),
        AuditAction::PasswordChanged,
        AuditSubject::member(user),
        email.map_or_else(|| json!({}), |email| json!({ "email": email.as_str().to_lowercase() })),
    );
    let change = PasswordChange {
        user_id: user,
        password,
        email: email.map(|email| email.as_str().to_owned()),
        by,
        entries: vec![(permit.workspace_id(), entry)],
        now: ports.clock.now(),
    };
    if !ports.directory.change_password(change).await? {
        // A concurrent change set another password and ended this session.
        return Err(Error::Unauthorized);
    }
    ports.credential_cache.invalidate(&[user.0].into());
    Ok(())
}

/// Whether this is the caller's password. Attempts count per user across sessions and addresses, because someone who stole a
/// session could otherwise guess the password from many addresses. The owner can still sign in and reset the password.
///
/// # Errors
/// [`Error::RateLimited`] after too many attempts, before the password is verified.
pub(super) async fn is_own_password(
    ports: &Ports,
    permit: &Permit<ManageOwnAccount>,
    user: UserId,
    typed: &Password,
    stored: Option<&PasswordHash>,
) -> Result<bool, Error> {
    let bucket = Bucket { class: Class::Critical, subject: RateLimitSubject::User(user) };
    limits::count(ports, bucket, ports.settings.limits.critical).await.check()?;
    ports.passwords.verify(typed, stored, HashTurn::known(permit.principal().address)).await
}
