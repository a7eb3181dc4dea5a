//! Confirming the password of a signed-in user before a change for which a session alone is not enough.

use super::{HashTurn, Password};
use crate::identity::access::{ManageOwnAccount, Permit};
use crate::identity::workspaces::PasswordHash;
use crate::limits::{self, Bucket, Class, RateLimitSubject};
use crate::ports::Ports;
use crate::{Error, UserId};

/// Whether this is the caller's password. Attempts count per user across sessions and addresses, because somebody who stole a
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
