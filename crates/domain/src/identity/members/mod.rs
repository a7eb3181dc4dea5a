//! The people of a workspace: who they are in it, and the rules of who may change that (contract: users).

mod change_role;
mod invite;
mod list;
mod remove;

pub use change_role::{RoleFields, change_role};
pub use invite::{INVITATION_TTL, Invitation, InvitationFields, invite};
pub use list::list;
pub use remove::remove;

use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::identity::workspaces::Role;
use crate::kernel::input::{choices, optional_timestamp_json, timestamp_json};
use crate::kernel::paging::{ListName, Paginated};
use crate::{Error, UserId};

choices! {
    /// Where a member stands.
    pub enum MemberStatus {
        /// Invited, and not yet come.
        Invited = "invited",
        /// In the workspace.
        Active = "active",
        /// Gone; their records stay.
        Deactivated = "deactivated",
    }
}

/// A person's membership of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Who.
    pub user_id: UserId,
    /// What they may do.
    pub role: Role,
    /// When they came; none while they are only invited.
    pub joined_at: Option<OffsetDateTime>,
    /// When they left.
    pub deactivated_at: Option<OffsetDateTime>,
    /// Counts its changes, from 1.
    pub version: i64,
    /// When they were made a member or invited first.
    pub created_at: OffsetDateTime,
    /// When the membership was last changed.
    pub updated_at: OffsetDateTime,
}

impl Member {
    /// Somebody who is in the workspace from now on.
    pub const fn joined(user_id: UserId, role: Role, now: OffsetDateTime) -> Self {
        Self { joined_at: Some(now), ..Self::invited(user_id, role, now) }
    }

    /// Somebody who is asked to come.
    pub const fn invited(user_id: UserId, role: Role, now: OffsetDateTime) -> Self {
        Self { user_id, role, joined_at: None, deactivated_at: None, version: 1, created_at: now, updated_at: now }
    }

    /// Where they stand.
    pub const fn status(&self) -> MemberStatus {
        match (self.deactivated_at, self.joined_at) {
            (Some(_), _) => MemberStatus::Deactivated,
            (None, Some(_)) => MemberStatus::Active,
            (None, None) => MemberStatus::Invited,
        }
    }

    const fn touch(&mut self, now: OffsetDateTime) {
        self.version += 1;
        self.updated_at = now;
    }

    /// Asks somebody again who was asked before or who left.
    pub(crate) const fn reinvite(&mut self, role: Role, now: OffsetDateTime) {
        self.role = role;
        self.joined_at = None;
        self.deactivated_at = None;
        self.touch(now);
    }

    /// Lets an invited person in.
    pub const fn join(&mut self, now: OffsetDateTime) {
        self.joined_at = Some(now);
        self.touch(now);
    }

    /// Gives a member another role.
    pub(crate) fn set_role(&mut self, role: Role, now: OffsetDateTime) {
        if self.role != role {
            self.role = role;
            self.touch(now);
        }
    }

    /// Takes a member out; what they made stays.
    pub const fn leave(&mut self, now: OffsetDateTime) {
        self.deactivated_at = Some(now);
        self.touch(now);
    }
}

/// A membership with the person's own data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberRecord {
    /// The membership.
    pub member: Member,
    /// The person's address.
    pub email: String,
    /// The person's name; their address until they came anywhere.
    pub name: String,
}

impl MemberRecord {
    /// The member as people see it.
    pub fn to_view(&self) -> MemberView {
        let member = &self.member;
        // Whoever was only asked to come is a stranger: neither their name nor how they write their address is told.
        let (email, name) = match member.joined_at {
            Some(_) => (self.email.clone(), self.name.clone()),
            None => (self.email.to_lowercase(), self.email.to_lowercase()),
        };
        MemberView {
            id: member.user_id,
            email,
            name,
            role: member.role,
            status: member.status(),
            joined_at: member.joined_at,
            deactivated_at: member.deactivated_at,
            version: member.version,
            created_at: member.created_at,
            updated_at: member.updated_at,
        }
    }
}

impl Paginated for MemberRecord {
    const LIST: ListName = ListName::Members;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.member.created_at, self.member.user_id.0)
    }
}

/// A member as people see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the members are documented at Member and MemberRecord")]
pub struct MemberView {
    pub id: UserId,
    pub email: String,
    pub name: String,
    pub role: Role,
    pub status: MemberStatus,
    #[serde(with = "optional_timestamp_json")]
    pub joined_at: Option<OffsetDateTime>,
    #[serde(with = "optional_timestamp_json")]
    pub deactivated_at: Option<OffsetDateTime>,
    pub version: i64,
    #[serde(with = "timestamp_json")]
    pub created_at: OffsetDateTime,
    #[serde(with = "timestamp_json")]
    pub updated_at: OffsetDateTime,
}

/// Nobody gives a role above their own.
fn may_give(own: Role, given: Role) -> Result<(), Error> {
    if given.outranks(own) {
        return Err(Error::Forbidden(format!("a member with the role {own} cannot give the role {given}")));
    }
    Ok(())
}

/// Nobody changes or removes a member above themselves.
fn may_manage(own: Role, member: Role) -> Result<(), Error> {
    if member.outranks(own) {
        return Err(Error::Forbidden(format!("a member with the role {own} cannot change one with the role {member}")));
    }
    Ok(())
}

/// The workspace keeps an owner. `owners` are those that are active.
fn keeps_an_owner(owners: &[UserId], leaving: UserId) -> Result<(), Error> {
    if owners == [leaving] {
        return Err(Error::Conflict("the last owner stays: make somebody else an owner first".to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invited_outsider_has_no_access() {
        let mut member = Member::invited(UserId(Uuid::nil()), Role::Viewer, OffsetDateTime::UNIX_EPOCH);
        let record = |member: &Member| MemberRecord {
            member: member.clone(),
            email: "Ann@Example.com".to_owned(),
            name: "Ann".to_owned(),
        };
        let shown = record(&member).to_view();
        assert_eq!((shown.email.as_str(), shown.name.as_str()), ("ann@example.com", "ann@example.com"));
        member.join(OffsetDateTime::UNIX_EPOCH);
        let shown = record(&member).to_view();
        assert_eq!((shown.email.as_str(), shown.name.as_str()), ("Ann@Example.com", "Ann"));
    }

    #[test]
    fn nobody_gives_or_touches_a_role_above_their_own() {
        for (at, own) in Role::ALL.iter().enumerate() {
            for (place, other) in Role::ALL.iter().enumerate() {
                assert_eq!(may_give(*own, *other).is_ok(), place >= at, "{own} gives {other}");
                assert_eq!(may_manage(*own, *other).is_ok(), place >= at, "{own} touches {other}");
            }
        }
    }

    #[test]
    fn the_last_owner_stays() {
        let user = |id| UserId(Uuid::from_u128(id));
        assert!(keeps_an_owner(&[user(1)], user(1)).is_err());
        assert!(keeps_an_owner(&[user(1)], user(2)).is_ok());
        assert!(keeps_an_owner(&[user(1), user(2)], user(1)).is_ok());
    }

    #[test]
    fn a_membership_goes_from_invited_to_gone_and_back() {
        let at = |second| OffsetDateTime::from_unix_timestamp(second).unwrap();
        let mut member = Member::invited(UserId(Uuid::nil()), Role::Viewer, at(1));
        assert_eq!(member.status(), MemberStatus::Invited);
        member.join(at(2));
        assert_eq!((member.status(), member.version, member.updated_at), (MemberStatus::Active, 2, at(2)));
        member.set_role(Role::Viewer, at(3));
        assert_eq!(member.version, 2, "nothing changed");
        member.leave(at(4));
        assert_eq!(member.status(), MemberStatus::Deactivated);
        member.reinvite(Role::Admin, at(5));
        assert_eq!((member.status(), member.role, member.created_at), (MemberStatus::Invited, Role::Admin, at(1)));
    }
}
