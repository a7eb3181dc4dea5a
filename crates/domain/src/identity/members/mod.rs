//! Members of a workspace: their roles, and the rules for changing them (interface 5.11 and 17.9–17.13).

mod change_role;
mod directory;
mod invite;
mod remove;

pub use change_role::{RoleFields, change_role};
pub use directory::{MemberEntry, MemberFilter, find_by_addresses, list, list_entries, names_of};
pub(in crate::identity) use invite::PreparedInvitation;
pub use invite::{INVITATION_TTL, Invitation, InvitationFields, InvitationWithLink, invite, invite_with_link};
pub use remove::{KeyOfMember, KeysOfMember, Removal, remove};

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::identity::workspaces::Role;
use crate::kernel::input::choices;
use crate::kernel::input::schema::{OptionalTimestampText, TimestampText};
use crate::kernel::paging::{ListName, Paginated};
use crate::{Error, UserId};

choices! {
    /// Status of a member.
    pub enum MemberStatus {
        /// Invited, not yet accepted.
        Invited = "invited",
        /// Active.
        Active = "active",
        /// Removed; their records stay.
        Deactivated = "deactivated",
    }
}

/// Maximum owners who are notified by e-mail of a change to the workspace.
pub const MAX_NOTIFIED: u32 = 20;

/// A user's membership in a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub user_id: UserId,
    pub role: Role,
    /// When the user joined; `None` while only invited.
    pub joined_at: Option<OffsetDateTime>,
    pub deactivated_at: Option<OffsetDateTime>,
    /// Counts changes from 1.
    pub version: i64,
    /// When the user was first added or invited.
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
}

impl Member {
    /// A member who is active immediately.
    pub const fn joined(user_id: UserId, role: Role, now: OffsetDateTime) -> Self {
        Self { joined_at: Some(now), ..Self::invited(user_id, role, now) }
    }

    pub const fn invited(user_id: UserId, role: Role, now: OffsetDateTime) -> Self {
        Self { user_id, role, joined_at: None, deactivated_at: None, version: 1, created_at: now, updated_at: now }
    }

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

    /// Invites a user again who was invited before or was removed.
    pub(crate) const fn reinvite(&mut self, role: Role, now: OffsetDateTime) {
        self.role = role;
        self.joined_at = None;
        self.deactivated_at = None;
        self.touch(now);
    }

    /// Activates an invited member.
    pub const fn join(&mut self, now: OffsetDateTime) {
        self.joined_at = Some(now);
        self.touch(now);
    }

    pub(crate) fn set_role(&mut self, role: Role, now: OffsetDateTime) {
        if self.role != role {
            self.role = role;
            self.touch(now);
        }
    }

    /// Deactivates the member; their records stay.
    pub const fn leave(&mut self, now: OffsetDateTime) {
        self.deactivated_at = Some(now);
        self.touch(now);
    }
}

/// A membership with the user's name and address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberRecord {
    pub member: Member,
    pub email: String,
    /// The user's name; their address until they have joined a workspace.
    pub name: String,
}

impl MemberRecord {
    /// The member as shown in the API.
    pub fn to_view(&self) -> MemberView {
        let member = &self.member;
        // An invited user is not in the workspace yet: neither their name nor the spelling of their address is revealed.
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
    const LIST: ListName = ListName::MEMBERS;

    fn cursor_key(&self) -> (OffsetDateTime, Uuid) {
        (self.member.created_at, self.member.user_id.0)
    }
}

/// A member as shown in the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Member")]
pub struct MemberView {
    pub id: UserId,
    pub email: String,
    pub name: String,
    pub role: Role,
    pub status: MemberStatus,
    #[serde(with = "OptionalTimestampText")]
    pub joined_at: Option<OffsetDateTime>,
    #[serde(with = "OptionalTimestampText")]
    pub deactivated_at: Option<OffsetDateTime>,
    pub version: i64,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    #[serde(with = "TimestampText")]
    pub updated_at: OffsetDateTime,
}

/// Members cannot grant a role above their own.
fn check_may_grant(own: Role, granted: Role) -> Result<(), Error> {
    if granted.outranks(own) {
        return Err(Error::Forbidden(format!("a member with the role {own} cannot grant the role {granted}")));
    }
    Ok(())
}

/// Members cannot change or remove a member above their own role.
fn check_may_manage(own: Role, member: Role) -> Result<(), Error> {
    if member.outranks(own) {
        return Err(Error::Forbidden(format!("a member with the role {own} cannot change one with the role {member}")));
    }
    Ok(())
}

/// A workspace must keep an owner. `owners` are the active ones.
fn check_keeps_owner(owners: &[UserId], leaving: UserId) -> Result<(), Error> {
    if owners == [leaving] {
        return Err(Error::Conflict("a workspace must keep an owner: make another member an owner first".to_owned()));
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
        let view = record(&member).to_view();
        assert_eq!((view.email.as_str(), view.name.as_str()), ("ann@example.com", "ann@example.com"));
        member.join(OffsetDateTime::UNIX_EPOCH);
        let view = record(&member).to_view();
        assert_eq!((view.email.as_str(), view.name.as_str()), ("Ann@Example.com", "Ann"));
    }

    #[test]
    fn no_member_grants_or_manages_a_role_above_their_own() {
        for (own_rank, own) in Role::ALL.iter().enumerate() {
            for (other_rank, other) in Role::ALL.iter().enumerate() {
                assert_eq!(check_may_grant(*own, *other).is_ok(), other_rank >= own_rank, "{own} grants {other}");
                assert_eq!(check_may_manage(*own, *other).is_ok(), other_rank >= own_rank, "{own} manages {other}");
            }
        }
    }

    #[test]
    fn the_last_owner_stays() {
        let user = |id| UserId(Uuid::from_u128(id));
        assert!(check_keeps_owner(&[user(1)], user(1)).is_err());
        assert!(check_keeps_owner(&[user(1)], user(2)).is_ok());
        assert!(check_keeps_owner(&[user(1), user(2)], user(1)).is_ok());
    }

    #[test]
    fn a_removed_member_can_be_invited_again() {
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
