//! Sets how long a member worked on a record on a day, for the console's week page.

use serde_json::{Map, json};
use time::Date;
use uuid::Uuid;

use super::{MAX_ENTRY_SECONDS, TimeEntry, TimeEntryFields};
use crate::identity::access::{Permit, UpdateTimeEntries};
use crate::kernel::idempotency::IdempotentRequest;
use crate::kernel::input::{Input, InputMode};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::Ports;
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

/// The time of one of the day's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DayEntry {
    id: TimeEntryId,
    version: i64,
    seconds: i32,
    /// Whether its duration can be changed: it has no start and end, and is not approved.
    is_open: bool,
}

/// The change that gives the day its new length. It concerns at most one entry, so it happens completely or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DayChange {
    Keep,
    Add { seconds: i32 },
    Set { id: TimeEntryId, version: i64, seconds: i32 },
    Remove { id: TimeEntryId, version: i64 },
}

/// Makes the day add up to `seconds` by changing, adding or deleting an entry without start and end. With `once`, a repeated request
/// does not add another entry.
///
/// # Errors
/// [`Error::InvalidStateChange`] if the day's other entries are longer than that; those of changing an entry.
pub async fn set_day(
    ports: &Ports,
    permit: &Permit<UpdateTimeEntries>,
    day: &WorkedDay<'_>,
    seconds: i32,
    once: Option<IdempotentRequest<TimeEntry>>,
) -> Result<(), Error> {
    let entries: Vec<_> = day.entries.iter().map(|entry| DayEntry::of(entry)).collect();
    let message = "entries of this day that have a start time, or are approved, take longer: change them one by one";
    let change = plan(&entries, seconds).ok_or_else(|| Error::InvalidStateChange(message.to_owned()))?;
    let expect_version = |version| ExpectedVersion::OneOf(vec![version]);
    match change {
        DayChange::Keep => Ok(()),
        DayChange::Add { seconds } => {
            let fields = day.fields(seconds, InputMode::Create)?;
            records::create::<TimeEntry>(ports, &permit.require()?, once, fields).await.map(drop)
        }
        DayChange::Set { id, version, seconds } => {
            let fields = day.fields(seconds, InputMode::Patch)?;
            records::update::<TimeEntry>(ports, permit, id, expect_version(version), fields).await.map(drop)
        }
        DayChange::Remove { id, version } => {
            records::delete::<TimeEntry>(ports, &permit.require()?, id, expect_version(version)).await.map(drop)
        }
    }
}

impl WorkedDay<'_> {
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

/// The change that makes the entries add up to `target`; `None` if there is none.
fn plan(entries: &[DayEntry], target: i32) -> Option<DayChange> {
    let total = entries.iter().fold(0_i32, |total, entry| total.saturating_add(entry.seconds));
    let difference = target.saturating_sub(total);
    let longest = entries.iter().filter(|entry| entry.is_open).max_by_key(|entry| entry.seconds);
    let set = |entry: &DayEntry| {
        let (id, version, seconds) = (entry.id, entry.version, entry.seconds.saturating_add(difference));
        match seconds {
            0 => Some(DayChange::Remove { id, version }),
            1..=MAX_ENTRY_SECONDS => Some(DayChange::Set { id, version, seconds }),
            _ => None,
        }
    };
    match (difference, longest) {
        (0, _) => Some(DayChange::Keep),
        (1.., longest) => longest.and_then(set).or(Some(DayChange::Add { seconds: difference })),
        (_, Some(entry)) => set(entry),
        (_, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(number: u128, seconds: i32, is_open: bool) -> DayEntry {
        DayEntry { id: TimeEntryId(Uuid::from_u128(number)), version: 1, seconds, is_open }
    }

    #[test]
    fn the_longest_entry_without_start_and_end_changes() {
        let all = [entry(1, 600, true), entry(2, 3_600, true), entry(3, 7_200, false)];
        let id = all[1].id;
        for (target, change) in [
            (11_400, Some(DayChange::Keep)),
            (13_200, Some(DayChange::Set { id, version: 1, seconds: 5_400 })),
            (9_600, Some(DayChange::Set { id, version: 1, seconds: 1_800 })),
            (7_800, Some(DayChange::Remove { id, version: 1 })),
            (7_200, None),
            (0, None),
        ] {
            assert_eq!(plan(&all, target), change, "{target}");
        }
        assert_eq!(plan(&all[2..], 7_800), Some(DayChange::Add { seconds: 600 }));
        assert_eq!(plan(&all[2..], 600), None);
        assert_eq!((plan(&[], 60), plan(&[], 0)), (Some(DayChange::Add { seconds: 60 }), Some(DayChange::Keep)));
    }

    proptest! {
        #[test]
        fn a_change_adds_up_and_leaves_fixed_entries_alone(
            all in prop::collection::vec((1..=MAX_ENTRY_SECONDS, any::<bool>()), 0..5), target in 0..=MAX_ENTRY_SECONDS,
        ) {
            let all: Vec<_> = (1..).zip(all).map(|(number, (seconds, is_open))| entry(number, seconds, is_open)).collect();
            let total: i32 = all.iter().map(|entry| entry.seconds).sum();
            let open = |id| all.iter().find(|entry| entry.id == id && entry.is_open).unwrap().seconds;
            match plan(&all, target) {
                Some(DayChange::Keep) => prop_assert_eq!(total, target),
                Some(DayChange::Add { seconds }) => prop_assert_eq!(total + seconds, target),
                Some(DayChange::Set { id, seconds, .. }) => prop_assert_eq!(total - open(id) + seconds, target),
                Some(DayChange::Remove { id, .. }) => prop_assert_eq!(total - open(id), target),
                None => prop_assert!(total > target),
            }
        }
    }
}
