//! The maker of a subscription: who saved it last, whose right to read its events it uses (interface 16.35).

use time::OffsetDateTime;

use super::reach::requirements;
use crate::Error;
use crate::events::Module;
use crate::identity::access::{Actor, Permit, ReadRequirement};
use crate::identity::workspaces::Role;
use crate::ports::Tx;

/// Who made a subscription or saved it last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Maker {
    pub actor: Actor,
    /// When the owners are to be told that the maker has ended. `None` if that has no date, or if they were told.
    pub notice_at: Option<OffsetDateTime>,
}

impl Maker {
    /// The caller, after a check inside the transaction that its credential has not ended.
    ///
    /// # Errors
    /// [`Error::Unauthorized`] for an ended key or session, [`Error::RoleNeeded`].
    pub(super) fn confirm<P>(permit: &Permit<P>, tx: &mut dyn Tx, now: OffsetDateTime) -> Result<Self, Error> {
        Ok(Self { actor: permit.actor(), notice_at: permit.confirm_alive(tx, now)? })
    }
}

/// What has become of a maker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MakerAccess {
    /// The service itself.
    Service,
    /// A key; it works until its revocation or expiry, if there is one.
    Key { ends_at: Option<OffsetDateTime> },
    /// An active member.
    Member(Role),
    /// No key, or no active member.
    Gone,
}

impl MakerAccess {
    /// Whether the maker can no longer read what the subscription sends.
    pub fn has_ended(self, module: Module, events: &[String], now: OffsetDateTime) -> bool {
        match self {
            Self::Service => false,
            Self::Key { ends_at } => ends_at.is_some_and(|end| end <= now),
            // Every role reads all records; only some modules are for administrators.
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
    fn a_maker_has_ended_when_it_can_no_longer_read() {
        let now = datetime!(2030-01-01 00:00 UTC);
        let key = |ends_at| MakerAccess::Key { ends_at };
        for (access, module, ended) in [
            (MakerAccess::Service, Module::Contracts, false),
            (MakerAccess::Gone, Module::Crm, true),
            (key(None), Module::Crm, false),
            (key(Some(now)), Module::Crm, true),
            (key(Some(now + time::Duration::MICROSECOND)), Module::Crm, false),
            (MakerAccess::Member(Role::Viewer), Module::Crm, false),
            (MakerAccess::Member(Role::Member), Module::Contracts, true),
            (MakerAccess::Member(Role::Admin), Module::Contracts, false),
        ] {
            assert_eq!(access.has_ended(module, &["*".to_owned()], now), ended, "{access:?} {module}");
        }
    }
}
