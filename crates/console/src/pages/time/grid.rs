//! The week of a member as a grid: what was worked on, by day.

use domain::kernel::input::{parse_date, parse_uuid};
use domain::records::RecordKind;
use time::{Date, Duration};
use uuid::Uuid;

/// What can be worked on.
const SUBJECTS: [RecordKind; 4] = [RecordKind::Task, RecordKind::Ticket, RecordKind::Project, RecordKind::Deal];

/// The record that was worked on.
pub(super) type Subject = (RecordKind, Uuid);

/// The days of a week by their distance from its Monday.
const DAYS: [i64; 7] = [0, 1, 2, 3, 4, 5, 6];

/// A week from Monday to Sunday.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Week(Date);

impl Week {
    /// The week of a day.
    pub(super) fn of(day: Date) -> Self {
        Self(day.saturating_sub(Duration::days(i64::from(day.weekday().number_days_from_monday()))))
    }

    pub(super) const fn first(self) -> Date {
        self.0
    }

    pub(super) fn last(self) -> Date {
        self.0.saturating_add(Duration::days(6))
    }

    pub(super) fn days(self) -> [Date; 7] {
        DAYS.map(|days| self.0.saturating_add(Duration::days(days)))
    }

    pub(super) fn previous(self) -> Self {
        Self(self.0.saturating_sub(Duration::weeks(1)))
    }

    pub(super) fn next(self) -> Self {
        Self(self.0.saturating_add(Duration::weeks(1)))
    }

    /// The place of a day in the week.
    fn place_of(self, day: Date) -> Option<usize> {
        usize::try_from((day - self.0).whole_days()).ok().filter(|place| *place < DAYS.len())
    }
}

/// Time of one entry, as far as the grid shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Worked {
    pub(super) subject: Option<Subject>,
    pub(super) day: Date,
    pub(super) seconds: i32,
}

/// What was worked on a record, or on none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) subject: Option<Subject>,
    /// Seconds by day.
    pub(super) seconds: [i32; 7],
}

impl Row {
    pub(super) fn total(&self) -> i32 {
        self.seconds.iter().sum()
    }
}

/// A row for each record that was worked on in the week, in order of its first entry, and one for each of `more`.
pub(super) fn rows(week: Week, worked: &[Worked], more: &[Option<Subject>]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for subject in worked.iter().map(|one| one.subject).chain(more.iter().copied()) {
        if rows.iter().all(|row| row.subject != subject) {
            rows.push(Row { subject, seconds: [0; 7] });
        }
    }
    for one in worked {
        if let Some(row) = rows.iter_mut().find(|row| row.subject == one.subject)
            && let Some(place) = week.place_of(one.day)
        {
            row.seconds[place] = row.seconds[place].saturating_add(one.seconds);
        }
    }
    rows
}

/// What each day adds up to.
pub(super) fn totals(rows: &[Row]) -> [i32; 7] {
    let mut totals = [0_i32; 7];
    for row in rows {
        for (total, seconds) in totals.iter_mut().zip(row.seconds) {
            *total = total.saturating_add(seconds);
        }
    }
    totals
}

/// A row in forms, such as `task-0190a8c4-0000-7000-8000-000000000001`.
pub(super) fn key_of(subject: Option<Subject>) -> String {
    subject.map_or_else(|| NONE.to_owned(), |(kind, id)| format!("{kind}-{id}"))
}

const NONE: &str = "none";
const CELL: &str = "cell-";
/// The length of a day with the sign before it.
const DAY: usize = "-2026-11-23".len();

/// The record of a row in a form; `None` for the row without one, and for an unknown key.
pub(super) fn subject_named(key: &str) -> Option<Subject> {
    let (kind, id) = key.split_once('-')?;
    let kind = RecordKind::parse(kind).filter(|kind| SUBJECTS.contains(kind))?;
    Some((kind, parse_uuid(id)?))
}

/// The name of a cell in forms.
pub(super) fn name_of(subject: Option<Subject>, day: Date) -> String {
    format!("{CELL}{}-{day}", key_of(subject))
}

/// The row and the day of a cell of a form.
pub(super) fn cell_of(name: &str) -> Option<(Option<Subject>, Date)> {
    let name = name.strip_prefix(CELL)?;
    let (key, day) = name.split_at_checked(name.len().checked_sub(DAY)?)?;
    let subject = if key == NONE { None } else { Some(subject_named(key)?) };
    Some((subject, parse_date(day.strip_prefix('-')?)?))
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    const TASK: Option<Subject> = Some((RecordKind::Task, Uuid::from_u128(7)));

    #[test]
    fn a_week_begins_on_monday() {
        for day in [date!(2026 - 11 - 23), date!(2026 - 11 - 25), date!(2026 - 11 - 29)] {
            let week = Week::of(day);
            assert_eq!((week.first(), week.last()), (date!(2026 - 11 - 23), date!(2026 - 11 - 29)));
            assert_eq!((week.next().previous(), week.days()[6]), (week, week.last()));
        }
    }

    #[test]
    fn time_adds_up_by_record_and_day() {
        let week = Week::of(date!(2026 - 11 - 23));
        let worked = |subject, day, seconds| Worked { subject, day, seconds };
        let all = [
            worked(None, date!(2026 - 11 - 23), 60),
            worked(TASK, date!(2026 - 11 - 24), 3_600),
            worked(TASK, date!(2026 - 11 - 24), 1_800),
            worked(TASK, date!(2026 - 11 - 29), 600),
        ];
        let rows = rows(week, &all, &[TASK, Some((RecordKind::Project, Uuid::nil()))]);
        assert_eq!(rows.iter().map(Row::total).collect::<Vec<_>>(), [60, 6_000, 0]);
        assert_eq!(rows[1].seconds, [0, 5_400, 0, 0, 0, 0, 600]);
        assert_eq!(totals(&rows), [60, 5_400, 0, 0, 0, 0, 600]);
    }

    #[test]
    fn only_what_can_be_worked_on_has_a_row() {
        for kind in RecordKind::ALL.iter().copied() {
            let subject = Some((kind, Uuid::from_u128(7)));
            let expected = subject.filter(|(kind, _)| SUBJECTS.contains(kind));
            assert_eq!(subject_named(&key_of(subject)), expected, "{kind}");
        }
        assert_eq!(subject_named("canned_reply-00000000-0000-0000-0000-000000000007"), None);
    }

    #[test]
    fn a_cell_is_found_by_its_name() {
        let day = date!(2026 - 11 - 23);
        for subject in [None, TASK] {
            assert_eq!(cell_of(&name_of(subject, day)), Some((subject, day)));
        }
        for other in
            ["", "cell-", "cell-2026-11-23", "cell-none-2026-11-32", "cell-task-1-2026-11-23", "cell-x-2026-11-23"]
        {
            assert_eq!(cell_of(other), None, "{other}");
        }
    }
}
