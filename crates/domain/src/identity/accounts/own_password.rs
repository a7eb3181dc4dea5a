//! What a signed-in user proves with their password before a change that a session alone does not entitle to.

use super::{HashTurn, Password};
use crate::identity::access::{ManageOwnAccount, Permit};
use crate::identity::workspaces::PasswordHash;
use crate::limits::{self, Bucket, Class, RateLimitSubject};
use crate::ports::Ports;
use crate::{Error, UserId};

/// Whether this is the caller's password. Tries count per user, whatever the session and the address: somebody who took a
/// session over would otherwise guess the password from many addresses. Its owner still signs in and resets it.
///
/// # Errors
/// [`Error::RateLimited`] after too many tries, before anything is verified.
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
