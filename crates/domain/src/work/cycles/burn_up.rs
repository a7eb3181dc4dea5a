//! The burn-up of a cycle: for each day, how many issues it had and how many of them were done (interface 26.24).

use schemars::JsonSchema;
use serde::Serialize;
use time::{Date, Duration};

use super::{Cycle, CycleCounts, CycleView};
use crate::identity::access::{Permit, ReadCycles};
use crate::kernel::Weight;
use crate::kernel::input::schema::DateText;
use crate::ports::{Ports, weighed_read_only};
use crate::{CycleId, Error};

/// The maximum number of days.
pub const MAX_BURN_UP_DAYS: u16 = 366;

/// How a cycle stood at the end of a day, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BurnUpDay {
    #[serde(with = "DateText")]
    pub day: Date,
    /// How many live issues were in the cycle.
    pub issues: i64,
    /// How many of them were done.
    pub completed: i64,
}

/// A cycle with its burn-up from its first day to its last, or to today if that is earlier. A cycle of more than 366 days has only
/// the last 366, and a cycle that has not started has none. Three statements.
///
/// # Errors
/// [`Error::NotFound`], [`Error::SearchTooSlow`].
pub async fn read_with_burn_up(
    ports: &Ports,
    permit: &Permit<ReadCycles>,
    id: CycleId,
) -> Result<(CycleView, Vec<BurnUpDay>), Error> {
    let today = ports.clock.now().date();
    weighed_read_only(ports, permit, Weight::Search, move |tx| {
        let cycle = tx.records::<Cycle>().get(id)?.ok_or(Error::NotFound("cycle"))?;
        let counts = tx.cycles().counts(id)?;
        let days = match span(&cycle, today) {
            Some((first, last)) => day_by_day(&tx.cycles().burn_up(id, first, last)?, first, last),
            None => Vec::new(),
        };
        Ok((cycle.view(counts, today), days))
    })
    .await
}

/// The first and the last day to show.
fn span(cycle: &Cycle, today: Date) -> Option<(Date, Date)> {
    let last = cycle.end_date.min(today);
    let earliest = last.saturating_sub(Duration::days(i64::from(MAX_BURN_UP_DAYS) - 1));
    (cycle.start_date <= last).then(|| (cycle.start_date.max(earliest), last))
}

/// One entry per day. A day without a change repeats the day before.
fn day_by_day(changes: &[(Date, CycleCounts)], first: Date, last: Date) -> Vec<BurnUpDay> {
    let days = (last - first).whole_days();
    let mut counts = CycleCounts::default();
    let mut changes = changes.iter().peekable();
    let day = |number| {
        let day = first.saturating_add(Duration::days(number));
        while let Some((_, changed)) = changes.next_if(|(on, _)| *on <= day) {
            counts = *changed;
        }
        BurnUpDay { day, issues: counts.issues, completed: counts.completed }
    };
    (0..=days).map(day).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProjectId;
    use crate::identity::access::Actor;
    use time::OffsetDateTime;
    use time::macros::date;
    use uuid::Uuid;

    fn cycle(start_date: Date, end_date: Date) -> Cycle {
        Cycle {
            id: CycleId(Uuid::nil()),
            project_id: ProjectId(Uuid::nil()),
            number: 1,
            name: String::new(),
            goal: None,
            start_date,
            end_date,
            version: 1,
            created_at: OffsetDateTime::UNIX_EPOCH,
            updated_at: OffsetDateTime::UNIX_EPOCH,
            created_by: Actor::SYSTEM,
        }
    }

    #[test]
    fn days_end_today_and_are_bounded() {
        let short = cycle(date!(2030 - 01 - 10), date!(2030 - 01 - 20));
        for (today, expected) in [
            (date!(2030 - 01 - 09), None),
            (date!(2030 - 01 - 10), Some((date!(2030 - 01 - 10), date!(2030 - 01 - 10)))),
            (date!(2030 - 03 - 01), Some((date!(2030 - 01 - 10), date!(2030 - 01 - 20)))),
        ] {
            assert_eq!(span(&short, today), expected, "{today}");
        }
        let long = cycle(Date::MIN, Date::MAX);
        let (first, last) = span(&long, date!(2030 - 12 - 31)).unwrap();
        assert_eq!(day_by_day(&[], first, last).len(), usize::from(MAX_BURN_UP_DAYS));
        assert!(span(&cycle(Date::MIN, Date::MIN), Date::MIN).is_some(), "the earliest date does not underflow");
    }

    #[test]
    fn days_without_a_change_repeat_the_day_before() {
        let counts = |issues, completed| CycleCounts { issues, completed };
        let (first, last) = (date!(2030 - 01 - 10), date!(2030 - 01 - 14));
        let changes = [(first, counts(3, 0)), (date!(2030 - 01 - 12), counts(4, 1)), (last, counts(2, 2))];
        let days: Vec<_> =
            day_by_day(&changes, first, last).iter().map(|day| (day.day.day(), day.issues, day.completed)).collect();
        assert_eq!(days, [(10, 3, 0), (11, 3, 0), (12, 4, 1), (13, 4, 1), (14, 2, 2)]);
        assert_eq!(day_by_day(&changes[1..], first, last)[0].issues, 0);
    }
}
