//! How changes of settings and members stop running timers. Time entries, on which this group may not depend, implement it
//! ([`TIMERS`](crate::kinds::TIMERS)).

use time::OffsetDateTime;

use super::access::Principal;
use super::workspaces::Workspace;
use crate::ports::{Ports, Tx};
use crate::{Error, UserId};

/// Stops running timers in the transaction of the change that requires it.
pub(crate) trait StopTimers {
    /// Stops the timers that began on a day of the workspace's locked period, and notifies their members. The caller holds the lock of
    /// the workspace.
    ///
    /// # Errors
    /// Store errors.
    fn stop_in_locked_period(
        &self,
        ports: &Ports,
        workspace: &Workspace,
        tx: &mut dyn Tx,
        by: &Principal,
        now: OffsetDateTime,
    ) -> Result<(), Error>;

    /// Stops the timer of a member, if one is running. Takes the lock of the workspace.
    ///
    /// # Errors
    /// Store errors.
    fn stop_for(&self, tx: &mut dyn Tx, member: UserId, by: &Principal, now: OffsetDateTime) -> Result<(), Error>;
}
