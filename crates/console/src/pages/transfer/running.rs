//! Limits the number of concurrent exports.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::identity::access::{Credential, Permit};
use domain::transfer::{MAX_RUNNING_EXPORTS, MAX_RUNNING_EXPORTS_OF_MEMBERS};
use domain::{Error, WorkspaceId};
use uuid::Uuid;

/// After how many seconds to try again: an export of some thousand records takes about as long.
const RETRY_AFTER: i64 = 5;
/// The time a browser may take for a part of about 4 MiB before another export can take its slot.
const MAX_PART_TIME: Duration = Duration::from_mins(1);

/// The exports of this process that are running, by workspace.
static RUNNING: LazyLock<Mutex<HashMap<WorkspaceId, Vec<Slot>>>> = LazyLock::new(Mutex::default);
static LAST_NUMBER: AtomicU64 = AtomicU64::new(0);

/// A running export.
#[derive(Debug)]
struct Slot {
    number: u64,
    holder: Uuid,
    /// Whether the user is an owner or an admin.
    administers: bool,
    /// When the last part was sent to the browser that is still reading it.
    sent_at: Option<Duration>,
    /// Whether another export has taken the slot: this one ends when its browser asks for more.
    is_displaced: bool,
}

/// One running export; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct RunningExport {
    workspace: WorkspaceId,
    number: u64,
}

impl RunningExport {
    /// Takes a slot, perhaps that of an export whose browser is too slow.
    ///
    /// # Errors
    /// [`Error::TooManyExports`] if the user already runs one, or the limit of the workspace or of its members and viewers is
    /// reached.
    pub(crate) fn begin<P>(permit: &Permit<P>, now: Duration) -> Result<Self, Error> {
        let (holder, administers) = match permit.credential() {
            Some(Credential::Session { user, role, .. }) => (user.0, role.administers()),
            Some(Credential::Key(id)) => (id.0, false),
            None => (Uuid::nil(), true),
        };
        Self::take(permit.workspace_id(), holder, administers, now)
    }

    fn take(workspace: WorkspaceId, holder: Uuid, administers: bool, now: Duration) -> Result<Self, Error> {
        let mut running = running();
        let slots = running.entry(workspace).or_default();
        make_room(slots, holder, administers, now).map_err(Limit::into_error)?;
        let number = LAST_NUMBER.fetch_add(1, Ordering::Relaxed);
        slots.push(Slot { number, holder, administers, sent_at: None, is_displaced: false });
        Ok(Self { workspace, number })
    }

    /// Called when a part of the file was sent to the browser.
    pub(crate) fn note_sent(&self, now: Duration) {
        if let Some(slot) = self.slot(&mut running()) {
            slot.sent_at = Some(now);
        }
    }

    /// Called when the browser asks for the next part.
    ///
    /// # Errors
    /// [`Error::TooManyExports`] if it was so slow that another export has taken its slot.
    pub(crate) fn check_slot(&self) -> Result<(), Error> {
        match self.slot(&mut running()) {
            Some(slot) if !slot.is_displaced => {
                slot.sent_at = None;
                Ok(())
            }
            _ => Err(Limit::Workspace.into_error()),
        }
    }

    fn slot<'a>(&self, running: &'a mut HashMap<WorkspaceId, Vec<Slot>>) -> Option<&'a mut Slot> {
        running.get_mut(&self.workspace)?.iter_mut().find(|slot| slot.number == self.number)
    }
}

impl Drop for RunningExport {
    fn drop(&mut self) {
        let mut running = running();
        if let Some(slots) = running.get_mut(&self.workspace) {
            slots.retain(|slot| slot.number != self.number);
            if slots.is_empty() {
                running.remove(&self.workspace);
            }
        }
    }
}

/// A limit on concurrent exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    User,
    /// The limit of all members and viewers together.
    Members,
    Workspace,
}

impl Limit {
    fn into_error(self) -> Error {
        let reached = match self {
            Self::User => "you already have a running export".to_owned(),
            Self::Members => format!(
                "the members and viewers of this workspace have reached their limit of running exports, which is \
                 {MAX_RUNNING_EXPORTS_OF_MEMBERS}"
            ),
            Self::Workspace => format!("this workspace has reached its limit of {MAX_RUNNING_EXPORTS} running exports"),
        };
        Error::TooManyExports { reached, retry_after: RETRY_AFTER }
    }
}

/// Makes room for one more export of a user, if necessary by displacing one whose browser is too slow.
fn make_room(slots: &mut [Slot], holder: Uuid, administers: bool, now: Duration) -> Result<(), Limit> {
    // Displaced exports count here, because they still hold memory.
    if slots.iter().any(|slot| slot.holder == holder) {
        return Err(Limit::User);
    }
    if !administers {
        let of_members = slots.iter_mut().filter(|slot| !slot.administers);
        displace_if_full(of_members, MAX_RUNNING_EXPORTS_OF_MEMBERS, now).ok_or(Limit::Members)?;
    }
    displace_if_full(slots.iter_mut(), MAX_RUNNING_EXPORTS, now).ok_or(Limit::Workspace)
}

/// Makes room below the limit by displacing a slow export; `None` if none is slow.
fn displace_if_full<'a>(slots: impl Iterator<Item = &'a mut Slot>, limit: usize, now: Duration) -> Option<()> {
    let mut active: Vec<_> = slots.filter(|slot| !slot.is_displaced).collect();
    if active.len() < limit {
        return Some(());
    }
    let is_slow = |since: Duration| now.saturating_sub(since) > MAX_PART_TIME;
    let slow = active.iter_mut().find(|slot| slot.sent_at.is_some_and(is_slow))?;
    slow.is_displaced = true;
    Some(())
}

fn running() -> MutexGuard<'static, HashMap<WorkspaceId, Vec<Slot>>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Duration = Duration::from_secs(100);

    fn admin(workspace: u128, user: u128, now: Duration) -> Result<RunningExport, Error> {
        RunningExport::take(WorkspaceId(Uuid::from_u128(workspace)), Uuid::from_u128(user), true, now)
    }

    fn member(workspace: u128, user: u128, now: Duration) -> Result<RunningExport, Error> {
        RunningExport::take(WorkspaceId(Uuid::from_u128(workspace)), Uuid::from_u128(user), false, now)
    }

    fn refused(result: Result<RunningExport, Error>) -> String {
        match result {
            Err(Error::TooManyExports { reached, retry_after: 5 }) => reached,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_workspace_runs_two_exports_and_frees_their_slots() {
        let first = admin(1, 1, START).unwrap();
        let _second = admin(1, 2, START).unwrap();
        assert_eq!(refused(admin(1, 3, START)), "this workspace has reached its limit of 2 running exports");
        drop(admin(2, 3, START).unwrap());
        drop(first);
        assert!(admin(1, 3, START).is_ok());
        assert!(!running().contains_key(&WorkspaceId(Uuid::from_u128(2))), "nothing is kept");
    }

    #[test]
    fn users_run_one_export_and_members_leave_one_to_admins() {
        let own = member(11, 1, START).unwrap();
        assert_eq!(refused(member(11, 1, START)), "you already have a running export");
        assert!(refused(member(11, 2, START)).starts_with("the members and viewers of this workspace"));
        let _admin = admin(11, 3, START).unwrap();
        assert!(refused(admin(11, 4, START)).starts_with("this workspace"));
        drop(own);
        assert!(member(11, 2, START).is_ok());
    }

    #[test]
    fn slow_exports_lose_their_slot_to_a_waiting_one() {
        let (slow, other) = (member(21, 1, START).unwrap(), admin(21, 2, START).unwrap());
        slow.note_sent(START);
        assert!(member(21, 3, START + MAX_PART_TIME).is_err());
        let later = START + MAX_PART_TIME + Duration::from_secs(1);
        let next = member(21, 3, later).unwrap();
        assert!(slow.check_slot().is_err() && next.check_slot().is_ok() && other.check_slot().is_ok());
        // It holds memory until it has ended.
        assert_eq!(refused(member(21, 1, later)), "you already have a running export");
        drop((next, slow));
        assert!(member(21, 1, later).is_ok());
    }

    #[test]
    fn exports_that_are_read_in_time_keep_their_slot() {
        let own = member(31, 1, START).unwrap();
        own.note_sent(START);
        own.check_slot().unwrap();
        assert!(member(31, 2, START + 2 * MAX_PART_TIME).is_err());
    }
}
