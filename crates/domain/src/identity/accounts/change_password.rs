//! Changing the caller's own password.

use serde_json::json;

use super::own_password::is_own_password;
use super::{HashTurn, NewPassword, Password, PasswordChange, PasswordProof};
use crate::Error;
use crate::identity::access::{ManageOwnAccount, Permit};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::kernel::input::fields;
use crate::ports::Ports;

fields! {
    /// The body of a password change.
    pub struct PasswordFields {
        /// The current password.
        current_password: Password = required,
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
        by: PasswordProof::Session(session, verified),
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
