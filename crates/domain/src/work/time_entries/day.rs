//! Sets how long a member worked on a record on a day, for the console's week page.

use serde_json::{Map, json};
use time::Date;
use uuid::Uuid;

use super::{TimeEntry, TimeEntryFields, TimeEntryFilter};
use crate::identity::access::{Permit, UpdateTimeEntries};
use crate::kernel::idempotency::IdempotentRequest;
use crate::kernel::input::{Input, InputMode, Several};
use crate::kernel::paging::PageRequest;
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx};
use crate::records::{self, RecordKind};
use crate::{Error, TimeEntryId};

/// The caller's time on a day for one record, or for none.
#[derive(Debug)]
pub struct WorkedDay<'e> {
    pub target: Option<(RecordKind, Uuid)>,
    pub date: Date,
    /// All of the day's entries for the target.
    pub entries: Vec<&'e TimeEntry>,
}

/// The new time of a day, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayTotal {
    /// The total that the person saw. If the day has another one by now, nothing is saved.
    pub seen: i32,
    /// The total that the day should have.
    pub wanted: i32,
}

/// What happened to the time of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayOutcome {
    /// The day has the wanted total. An entry whose time became zero was deleted.
    Saved { deleted: Option<TimeEntryId> },
    /// The day has changed since the person saw it, so it stays as it is.
    ChangedSince,
}

/// The maximum number of a member's entries of a day that are compared with a new one. The page saves no week that has more.
const MAX_PER_DAY: u32 = 500;

/// The time of one of the day's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DayEntry {
    id: TimeEntryId,
    version: i64,
    seconds: i32,
    /// Whether its duration can be changed: it has no start and end, and is not approved.
    is_open: bool,
}

/// The change that gives the day its new total. It concerns at most one entry, so it happens completely or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DayChange {
    Keep,
    Add { seconds: i32 },
    Set { id: TimeEntryId, version: i64, seconds: i32 },
    Remove { id: TimeEntryId, version: i64 },
}

/// Why a day cannot get its new total.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Obstacle {
    /// Its total is not the one that the person saw.
    ChangedSince,
    /// It is not clear which entry to change, or the only one cannot be changed this way.
    NotOneEntry,
}

/// Gives the day a new total by adding its only entry, or by changing or deleting it. With `once`, a repeated request does not add
/// another entry.
///
/// # Errors
/// [`Error::InvalidStateChange`] if [`WorkedDay::is_editable`] is false; those of changing an entry.
pub async fn set_day(
    ports: &Ports,
    permit: &Permit<UpdateTimeEntries>,
    day: &WorkedDay<'_>,
    total: DayTotal,
    once: Option<IdempotentRequest<TimeEntry>>,
) -> Result<DayOutcome, Error> {
    let entries: Vec<_> = day.entries.iter().map(|entry| DayEntry::of(entry)).collect();
    let change = match plan(&entries, total) {
        Ok(change) => change,
        Err(Obstacle::ChangedSince) => return Ok(DayOutcome::ChangedSince),
        Err(Obstacle::NotOneEntry) => return Err(Error::InvalidStateChange(NOT_ONE_ENTRY.to_owned())),
    };
    match apply(ports, permit, day, change, once).await {
        Ok(deleted) => Ok(DayOutcome::Saved { deleted }),
        // Another request has changed the entry in the meantime.
        Err(Error::ConcurrentUpdate { .. }) => Ok(DayOutcome::ChangedSince),
        Err(error) => Err(error),
    }
}

const NOT_ONE_ENTRY: &str =
    "this time is in several entries, or in one that has a start time or is approved: change the entries themselves";

/// Returns the entry that was deleted, if any.
async fn apply(
    ports: &Ports,
    permit: &Permit<UpdateTimeEntries>,
    day: &WorkedDay<'_>,
    change: DayChange,
    once: Option<IdempotentRequest<TimeEntry>>,
) -> Result<Option<TimeEntryId>, Error> {
    let expect_version = |version| ExpectedVersion::OneOf(vec![version]);
    match change {
        DayChange::Keep => {}
        DayChange::Add { seconds } => {
            let fields = day.fields(seconds, InputMode::Create)?;
            let date = day.date;
            let check = move |tx: &mut dyn Tx, entry: &mut TimeEntry| check_empty(tx, entry, date);
            let _ = records::create_and::<TimeEntry>(ports, &permit.require()?, once, fields, check).await?;
        }
        DayChange::Set { id, version, seconds } => {
            let fields = day.fields(seconds, InputMode::Patch)?;
            let _ = records::update::<TimeEntry>(ports, permit, id, expect_version(version), fields).await?;
        }
        DayChange::Remove { id, version } => {
            let _ = records::delete::<TimeEntry>(ports, &permit.require()?, id, expect_version(version)).await?;
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Checks that the member has no time on the day for the new entry's record, once other writers wait.
fn check_empty(tx: &mut dyn Tx, new: &TimeEntry, date: Date) -> Result<(), Error> {
    let filter = TimeEntryFilter {
        member: Several(vec![new.member_id]),
        from: Some(date),
        to: Some(date),
        ..TimeEntryFilter::default()
    };
    let entries = tx.lists::<TimeEntry>().list(&filter, &PageRequest::first(MAX_PER_DAY))?;
    match entries.iter().find(|entry| entry.target() == new.target()) {
        Some(entry) => Err(Error::ConcurrentUpdate { current: entry.version }),
        None => Ok(()),
    }
}

impl WorkedDay<'_> {
    /// Whether the day can be given a new total: it has no entry, or only one, whose duration can be changed.
    pub fn is_editable(&self) -> bool {
        match &*self.entries {
            [] => true,
            [entry] => DayEntry::of(entry).is_open,
            _ => false,
        }
    }

    fn fields(&self, seconds: i32, mode: InputMode) -> Result<TimeEntryFields, Error> {
        let time = [("date".to_owned(), json!(self.date.to_string())), ("seconds".to_owned(), json!(seconds))];
        let target = self.target.map(|(kind, id)| (format!("{kind}_id"), json!(id)));
        TimeEntryFields::from_object(time.into_iter().chain(target).collect::<Map<_, _>>(), mode)
    }
}

impl DayEntry {
    fn of(entry: &TimeEntry) -> Self {
        Self {
            id: entry.id,
            version: entry.version,
            seconds: entry.seconds.unwrap_or_default(),
            is_open: !entry.status.is_settled() && entry.started_at.is_none(),
        }
    }
}

/// The change that gives the entries their new total.
fn plan(entries: &[DayEntry], DayTotal { seen, wanted }: DayTotal) -> Result<DayChange, Obstacle> {
    let total = entries.iter().fold(0_i32, |total, entry| total.saturating_add(entry.seconds));
    if total == wanted {
        return Ok(DayChange::Keep);
    }
    if total != seen {
        return Err(Obstacle::ChangedSince);
    }
    match *entries {
        [] => Ok(DayChange::Add { seconds: wanted }),
        [DayEntry { id, version, is_open: true, .. }] if wanted == 0 => Ok(DayChange::Remove { id, version }),
        [DayEntry { id, version, is_open: true, .. }] => Ok(DayChange::Set { id, version, seconds: wanted }),
        _ => Err(Obstacle::NotOneEntry),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::work::time_entries::MAX_ENTRY_SECONDS;

    fn entry(number: u128, seconds: i32, is_open: bool) -> DayEntry {
        DayEntry { id: TimeEntryId(Uuid::from_u128(number)), version: 1, seconds, is_open }
    }

    fn planned(entries: &[DayEntry], seen: i32, wanted: i32) -> Result<DayChange, Obstacle> {
        plan(entries, DayTotal { seen, wanted })
    }

    #[test]
    fn only_the_single_entry_without_start_and_end_changes() {
        let (open, timed) = (entry(1, 3_600, true), entry(2, 7_200, false));
        let id = open.id;
        assert_eq!(planned(&[], 0, 60), Ok(DayChange::Add { seconds: 60 }));
        assert_eq!(planned(&[], 0, 0), Ok(DayChange::Keep));
        assert_eq!(planned(&[open], 3_600, 5_400), Ok(DayChange::Set { id, version: 1, seconds: 5_400 }));
        assert_eq!(planned(&[open], 3_600, 0), Ok(DayChange::Remove { id, version: 1 }));
        for wanted in [0, 60, 10_000] {
            assert_eq!(planned(&[timed], 7_200, wanted), Err(Obstacle::NotOneEntry), "{wanted}");
            assert_eq!(planned(&[open, timed], 10_800, wanted), Err(Obstacle::NotOneEntry), "{wanted}");
            assert_eq!(planned(&[open, open], 7_200, wanted), Err(Obstacle::NotOneEntry), "{wanted}");
        }
    }

    #[test]
    fn nothing_changes_if_the_total_is_not_the_one_that_was_seen() {
        let open = entry(1, 3_600, true);
        assert_eq!(planned(&[open], 0, 5_400), Err(Obstacle::ChangedSince));
        assert_eq!(planned(&[open, open], 3_600, 5_400), Err(Obstacle::ChangedSince));
        assert_eq!(planned(&[], 3_600, 5_400), Err(Obstacle::ChangedSince));
        // A form that is sent twice.
        assert_eq!(planned(&[open], 0, 3_600), Ok(DayChange::Keep));
    }

    proptest! {
        #[test]
        fn a_change_adds_up_and_leaves_other_entries_alone(
            all in prop::collection::vec((1..=MAX_ENTRY_SECONDS, any::<bool>()), 0..4),
            is_current in any::<bool>(),
            wanted in 0..=MAX_ENTRY_SECONDS,
        ) {
            let all: Vec<_> = (1..).zip(all).map(|(number, (seconds, is_open))| entry(number, seconds, is_open)).collect();
            let total: i32 = all.iter().map(|entry| entry.seconds).sum();
            let is_sole = |id| all.len() == 1 && all[0].id == id && all[0].is_open;
            match planned(&all, if is_current { total } else { total + 1 }, wanted) {
                Ok(DayChange::Keep) => prop_assert_eq!(total, wanted),
                Ok(DayChange::Add { seconds }) => prop_assert!(all.is_empty() && seconds == wanted),
                Ok(DayChange::Set { id, seconds, .. }) => prop_assert!(is_sole(id) && seconds == wanted),
                Ok(DayChange::Remove { id, .. }) => prop_assert!(is_sole(id) && wanted == 0),
                Err(Obstacle::ChangedSince) => prop_assert!(!is_current),
                Err(Obstacle::NotOneEntry) => prop_assert!(is_current && !all.is_empty()),
            }
        }
    }
}
