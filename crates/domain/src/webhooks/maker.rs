//! The maker of a subscription: the user or key that saved it last. The subscription relies on its permission to read the events
//! (interface 16.35).

use time::OffsetDateTime;

use super::reach::requirements;
use crate::Error;
use crate::events::Module;
use crate::identity::access::{Actor, Permit, ReadRequirement};
use crate::identity::workspaces::Role;
use crate::ports::Tx;

/// The user or key that created a subscription or saved it last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Maker {
    pub actor: Actor,
    /// When to notify the owners that the maker is no longer active. `None` if the maker does not expire, or once they were
    /// notified.
    pub notice_at: Option<OffsetDateTime>,
}

impl Maker {
    /// The caller as maker, after a check inside the transaction that its credential is still valid.
    ///
    /// # Errors
    /// [`Error::Unauthorized`] for a key or session that is no longer valid, [`Error::RoleNeeded`].
    pub(super) fn confirm<P>(permit: &Permit<P>, tx: &mut dyn Tx, now: OffsetDateTime) -> Result<Self, Error> {
        Ok(Self { actor: permit.actor(), notice_at: permit.confirm_alive(tx, now)? })
    }
}

/// The current state of a maker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MakerAccess {
    /// The service itself.
    Service,
    /// A key, with the time of its revocation or expiry, if any.
    Key { ends_at: Option<OffsetDateTime> },
    /// An active member.
    Member(Role),
    /// A key that no longer exists, or a member who is not active.
    Gone,
}

impl MakerAccess {
    /// Whether the maker can no longer read what the subscription sends.
    pub fn has_ended(self, module: Module, events: &[String], now: OffsetDateTime) -> bool {
        match self {
            Self::Service => false,
            Self::Key { ends_at } => ends_at.is_some_and(|end| end <= now),
            // Every role may read all records; only some modules require an administrator.
            Self::Member(role) => {
                let mut needs = requirements(module, events);
                !role.administers() && needs.any(|needs| needs == ReadRequirement::Administrator)
            }
            Self::Gone => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn a_maker_has_ended_once_it_can_no_longer_read_the_events() {
        let now = datetime!(2030-01-01 00:00 UTC);
        let key = |ends_at| MakerAccess::Key { ends_at };
        for (access, module, expected) in [
            (MakerAccess::Service, Module::Contracts, false),
            (MakerAccess::Gone, Module::Crm, true),
            (key(None), Module::Crm, false),
            (key(Some(now)), Module::Crm, true),
            (key(Some(now + time::Duration::MICROSECOND)), Module::Crm, false),
            (MakerAccess::Member(Role::Viewer), Module::Crm, false),
            (MakerAccess::Member(Role::Member), Module::Contracts, true),
            (MakerAccess::Member(Role::Admin), Module::Contracts, false),
        ] {
            assert_eq!(access.has_ended(module, &["*".to_owned()], now), expected, "{access:?} {module}");
        }
    }
}
