//! Who may change which time entries, and when.

use time::Date;

use super::{EntryStatus, Span, TimeEntry, TimeEntryFields};
use crate::identity::access::Credential;
use crate::identity::workspaces::{Role, Workspace};
use crate::kernel::input::Field;
use crate::ports::Tx;
use crate::records::Writing;
use crate::{Error, UserId};

/// The role in which a caller writes entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writer {
    /// Owners, admins and operators may write all entries.
    Administrator,
    /// A member may write their own entries until they are approved.
    Member(UserId),
    /// A key may write entries of all members until they are approved.
    Key,
}

impl Writer {
    const fn of(credential: Option<Credential>) -> Self {
        match credential {
            Some(Credential::Session { role, .. }) if role.administers() => Self::Administrator,
            Some(Credential::Session { user, .. }) => Self::Member(user),
            Some(Credential::Key(_)) => Self::Key,
            None => Self::Administrator,
        }
    }

    fn check(self, member: UserId, status: EntryStatus) -> Result<(), Error> {
        if let Self::Member(user) = self
            && user != member
        {
            return Err(Error::Forbidden("only owners and admins can change the time entries of others".to_owned()));
        }
        if self != Self::Administrator && status.is_settled() {
            let message = format!("the time entry is {status}: only owners and admins change it");
            return Err(Error::InvalidStateChange(message));
        }
        Ok(())
    }

    const fn status_after_change(self, status: EntryStatus) -> EntryStatus {
        match (self, status) {
            (Self::Member(_) | Self::Key, EntryStatus::Submitted) => EntryStatus::Stopped,
            (_, status) => status,
        }
    }
}

impl EntryStatus {
    /// Whether the entry was approved.
    pub const fn is_settled(self) -> bool {
        matches!(self, Self::Approved | Self::Exported)
    }
}

/// Checks that the caller may write an entry of this member with this status.
pub(super) fn check_writer(writing: &Writing, entry: &TimeEntry) -> Result<(), Error> {
    Writer::of(writing.credential).check(entry.member_id, entry.status)
}

/// Whether the caller may change or delete an entry of this member, with this status, on this day. Pages offer both only then.
pub fn may_change(
    credential: Option<Credential>,
    workspace: &Workspace,
    member: UserId,
    status: EntryStatus,
    day: Date,
) -> bool {
    Writer::of(credential).check(member, status).is_ok() && check_period(workspace, &[day]).is_ok()
}

/// The status of an entry after a change. A submitted entry must be submitted again, so that every change is reviewed. Changes by
/// owners and admins, who approve entries, keep the status.
pub(super) fn status_after_change(writing: &Writing, status: EntryStatus) -> EntryStatus {
    Writer::of(writing.credential).status_after_change(status)
}

/// Checks that none of the days is in the locked period.
pub(super) fn check_period(workspace: &Workspace, days: &[Date]) -> Result<(), Error> {
    match workspace.time_locked_until {
        Some(last) if days.iter().any(|day| *day <= last) => {
            let message = format!("the time up to {last} is locked: only an owner can unlock it");
            Err(Error::InvalidStateChange(message))
        }
        _ => Ok(()),
    }
}

/// Checks that no other entry of the member overlaps, unless the workspace allows that.
pub(super) fn check_no_overlap(tx: &mut dyn Tx, workspace: &Workspace, entry: &TimeEntry) -> Result<(), Error> {
    let Some((start, end)) = Span::of(entry).range() else { return Ok(()) };
    // A timer that was stopped at once takes no time.
    if entry.seconds == Some(0) {
        return Ok(());
    }
    if entry.status == EntryStatus::Running {
        let running = tx.time_entries().running_of(entry.member_id)?;
        if running.is_some_and(|running| running.id != entry.id) {
            return Err(Error::Conflict("another timer of the member is running".to_owned()));
        }
    }
    if workspace.time_overlaps_allowed {
        return Ok(());
    }
    match tx.time_entries().overlapping(entry.member_id, entry.id, start, end)? {
        Some((other, day)) => Err(Error::Overlap { day, existing_id: other.0 }),
        None => Ok(()),
    }
}

/// Sets the member of an entry, who must be active unless they are the stored one.
pub(super) fn set_member(
    entry: &mut TimeEntry,
    fields: &TimeEntryFields,
    stored: Option<&TimeEntry>,
    tx: &mut dyn Tx,
    writing: &Writing,
) -> Result<(), Error> {
    name_member(entry, fields, stored, writing)?;
    check_new_member(entry, fields, stored, tx, writing)
}

/// Sets the member of an entry, active or not: the one in the request or, without one, the caller. Keys must send one.
pub(super) fn name_member(
    entry: &mut TimeEntry,
    fields: &TimeEntryFields,
    stored: Option<&TimeEntry>,
    writing: &Writing,
) -> Result<(), Error> {
    match (&fields.member_id, stored) {
        (Field::Set(member), _) => entry.member_id = *member,
        (Field::Null, Some(_)) => return Err(Error::invalid("member_id", "required", "must have a value")),
        (Field::Null | Field::Absent, None) if !matches!(writing.credential, Some(Credential::Session { .. })) => {
            return Err(Error::invalid("member_id", "required", missing_member(writing.credential)));
        }
        (Field::Null | Field::Absent, _) => {}
    }
    Ok(())
}

/// Why a caller who is not a member must name one, and where.
const fn missing_member(credential: Option<Credential>) -> &'static str {
    match credential {
        Some(_) => "must be sent, because an API key is not a member",
        None => "must be sent: name the member in a column member_email, or with --value member_id:=ADDRESS",
    }
}

/// Checks that the member is active, unless they are the stored one: entries of removed members can still be changed. A caller who
/// records their own time must still have a role that may: they may have been removed or made a viewer after their session was read.
/// Both changes wait for the lock of time entries, which this transaction holds.
pub(super) fn check_new_member(
    entry: &TimeEntry,
    fields: &TimeEntryFields,
    stored: Option<&TimeEntry>,
    tx: &mut dyn Tx,
    writing: &Writing,
) -> Result<(), Error> {
    if stored.is_some_and(|stored| stored.member_id == entry.member_id) {
        return Ok(());
    }
    let is_own = matches!(writing.credential, Some(Credential::Session { user, .. }) if user == entry.member_id);
    match tx.members().recipients(&[entry.member_id])?.first() {
        Some(member) if is_own && member.role == Role::Viewer => {
            Err(Error::Forbidden("viewers record no time".to_owned()))
        }
        Some(_) => Ok(()),
        None if fields.member_id.set().is_none() => {
            Err(Error::Forbidden("only members of the workspace record their own time".to_owned()))
        }
        None => Err(Error::invalid("member_id", "not_found", "must be the id of an active member of the workspace")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ApiKeyId, SessionId};
    use time::macros::date;
    use uuid::Uuid;

    const MEMBER: UserId = UserId(Uuid::from_u128(1));
    const OTHER: UserId = UserId(Uuid::from_u128(2));

    fn session(user: UserId, role: Role) -> Credential {
        Credential::Session { id: SessionId(Uuid::nil()), user, role }
    }

    #[test]
    fn members_write_their_own_entries_until_these_are_approved() {
        let key = Some(Credential::Key(ApiKeyId(Uuid::nil())));
        for (credential, is_administrator, is_own) in [
            (Some(session(OTHER, Role::Owner)), true, true),
            (Some(session(OTHER, Role::Admin)), true, true),
            (Some(session(MEMBER, Role::Member)), false, true),
            (Some(session(OTHER, Role::Member)), false, false),
            (key, false, true),
            (None, true, true),
        ] {
            for status in EntryStatus::ALL.iter().copied() {
                let checked = Writer::of(credential).check(MEMBER, status);
                let expected = match (is_own, status.is_settled() && !is_administrator) {
                    (false, _) => Some("forbidden"),
                    (true, true) => Some("invalid_state_change"),
                    (true, false) => None,
                };
                assert_eq!(checked.err().map(|error| error.code().as_str()), expected, "{credential:?} {status}");
            }
        }
    }

    #[test]
    fn changes_are_offered_to_writers_outside_of_the_locked_period() {
        let mut workspace = crate::testing::workspace_value(1);
        workspace.time_locked_until = Some(date!(2030 - 01 - 31));
        let (open, locked) = (date!(2030 - 02 - 01), date!(2030 - 01 - 31));
        let (member, other) = (Some(session(MEMBER, Role::Member)), Some(session(OTHER, Role::Member)));
        let admin = Some(session(OTHER, Role::Admin));
        for (credential, status, day, expected) in [
            (member, EntryStatus::Stopped, open, true),
            (member, EntryStatus::Submitted, open, true),
            (member, EntryStatus::Approved, open, false),
            (member, EntryStatus::Stopped, locked, false),
            (other, EntryStatus::Stopped, open, false),
            (admin, EntryStatus::Exported, open, true),
            (admin, EntryStatus::Stopped, locked, false),
        ] {
            let offered = may_change(credential, &workspace, MEMBER, status, day);
            assert_eq!(offered, expected, "{credential:?} {status} {day}");
        }
    }

    #[test]
    fn entries_changed_by_a_member_or_a_key_must_be_submitted_again() {
        let key = Some(Credential::Key(ApiKeyId(Uuid::nil())));
        for (credential, expected) in [
            (Some(session(MEMBER, Role::Member)), EntryStatus::Stopped),
            (key, EntryStatus::Stopped),
            (Some(session(MEMBER, Role::Admin)), EntryStatus::Submitted),
            (Some(session(OTHER, Role::Owner)), EntryStatus::Submitted),
            (None, EntryStatus::Submitted),
        ] {
            let writer = Writer::of(credential);
            assert_eq!(writer.status_after_change(EntryStatus::Submitted), expected, "{credential:?}");
            for other in EntryStatus::ALL.iter().copied().filter(|status| *status != EntryStatus::Submitted) {
                assert_eq!(writer.status_after_change(other), other, "{credential:?}");
            }
        }
    }

    #[test]
    fn who_must_name_a_member_is_told_where() {
        let key = Some(Credential::Key(ApiKeyId(Uuid::nil())));
        for (credential, is_about_keys) in [(key, true), (None, false)] {
            let message = missing_member(credential);
            assert_eq!(message.contains("API key"), is_about_keys, "{message}");
            assert_eq!(message.contains("member_email"), !is_about_keys, "{message}");
        }
    }

    #[test]
    fn the_last_day_of_a_locked_period_is_locked_too() {
        let mut workspace = crate::testing::workspace_value(1);
        assert!(check_period(&workspace, &[Date::MIN]).is_ok());
        workspace.time_locked_until = Some(date!(2030 - 01 - 31));
        for (days, is_free) in [
            (&[date!(2030 - 02 - 01)][..], true),
            (&[date!(2030 - 01 - 31)], false),
            (&[date!(2030 - 02 - 01), date!(2030 - 01 - 30)], false),
            (&[], true),
        ] {
            let checked = check_period(&workspace, days);
            assert_eq!(checked.is_ok(), is_free, "{days:?}");
            assert!(checked.is_ok() || matches!(checked, Err(Error::InvalidStateChange(_))));
        }
    }
}
