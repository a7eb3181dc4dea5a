//! Who sees and restores deleted records.

use super::{Credential, Permit, ToolPermit};
use crate::Error;

impl<P> Permit<P> {
    /// Checks that the caller may see records deleted with `Q`: it must be the session of an owner or admin, or a key with the
    /// permission to delete them.
    ///
    /// # Errors
    /// [`Error::RoleNeeded`] or [`Error::GrantNeeded`].
    pub(crate) fn check_sees_deleted<Q: ToolPermit>(&self) -> Result<(), Error> {
        match self.credential {
            Some(Credential::Session { role, .. }) if !role.administers() => Err(Error::RoleNeeded),
            Some(Credential::Key(_)) => self.check_grant::<Q>(),
            _ => Ok(()),
        }
    }

    /// Checks that a key has a grant for `Q`.
    ///
    /// # Errors
    /// [`Error::GrantNeeded`].
    fn check_grant<Q: ToolPermit>(&self) -> Result<(), Error> {
        match Q::PERMISSIONS.first() {
            Some(needs) if !self.covers::<Q>() => Err(Error::GrantNeeded { needs: needs.as_str() }),
            _ => Ok(()),
        }
    }

    /// The permit for `Q`, which the caller must have in addition to `P`.
    ///
    /// # Errors
    /// [`Error::GrantNeeded`].
    pub(crate) fn need<Q: ToolPermit>(&self) -> Result<Permit<Q>, Error> {
        self.check_grant::<Q>()?;
        self.also().ok_or(Error::RoleNeeded)
    }
}
