//! Changing the caller's own password, and setting the first.

use serde_json::json;

use super::own_password::is_own_password;
use super::{HashTurn, NewPassword, Password, PasswordChange, PasswordProof};
use crate::identity::access::{ManageOwnAccount, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::input::fields;
use crate::ports::Ports;
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
        /// The new password.
        new_password: NewPassword = required,
    }
}

/// Sets a new password and ends all sessions of the user, including the current one.
///
/// # Errors
/// [`Error::Invalid`] for a wrong current password; [`Error::RateLimited`] after too many tries of the user.
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
    let good = is_own_password(ports, permit, user, current, hash.as_ref()).await?;
    let (true, Some(verified)) = (good, hash) else {
        return Err(Error::invalid("current_password", "incorrect", "is not the current password"));
    };
    set(ports, permit, user, new, PasswordProof::Session(session, verified)).await
}

/// Sets the password of a user who has none, since they came by a link on the machine of the service; ends all their sessions.
///
/// # Errors
/// [`Error::Conflict`] for a user who has a password.
pub async fn set_first_password(
    ports: &Ports,
    permit: &Permit<ManageOwnAccount>,
    fields: FirstPasswordFields,
) -> Result<(), Error> {
    let (session, user) = permit.session().ok_or(Error::SessionNeeded)?;
    let Some(new) = fields.new_password.set() else {
        return Err(Error::invalid("new_password", "required", "must not be empty"));
    };
    if ports.directory.find_password(user).await?.is_some() {
        return Err(Error::Conflict("you have a password already: change it with that one".to_owned()));
    }
    set(ports, permit, user, new, PasswordProof::First(session)).await
}

async fn set(
    ports: &Ports,
    permit: &Permit<ManageOwnAccount>,
    user: UserId,
    new: &NewPassword,
    by: PasswordProof,
) -> Result<(), Error> {
    let password = ports.passwords.hash(new, HashTurn::known(permit.principal().address)).await?;
    let entry = AuditEntry::new(
        ports,
        &permit.principal(),
        AuditAction::PasswordChanged,
        AuditSubject::member(user),
        json!({}),
    );
    let change = PasswordChange {
        user_id: user,
        password,
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
