//! A member's week as a grid: a row per record, a column per day.

use domain::kernel::input::{parse_date, parse_uuid};
use domain::records::RecordKind;
use time::{Date, Duration};
use uuid::Uuid;

/// The kinds of records on which time can be logged.
const LOGGABLE_KINDS: [RecordKind; 4] = [RecordKind::Task, RecordKind::Ticket, RecordKind::Project, RecordKind::Deal];

/// The record on which time was logged.
pub(super) type Subject = (RecordKind, Uuid);

/// The days of a week, counted from its Monday.
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

    /// The index of a day, from 0 for Monday; `None` for days of other weeks.
    fn day_index(self, day: Date) -> Option<usize> {
        usize::try_from((day - self.0).whole_days()).ok().filter(|index| *index < DAYS.len())
    }
}

/// The part of a time entry that the grid shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LoggedTime {
    pub(super) subject: Option<Subject>,
    pub(super) day: Date,
    pub(super) seconds: i32,
}

/// The time logged on a record, or on none.
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

/// A row for each record with logged time, in the order of their first entries, and then for each in `added`.
pub(super) fn rows(week: Week, logged: &[LoggedTime], added: &[Option<Subject>]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for subject in logged.iter().map(|entry| entry.subject).chain(added.iter().copied()) {
        if rows.iter().all(|row| row.subject != subject) {
            rows.push(Row { subject, seconds: [0; 7] });
        }
    }
    for entry in logged {
        if let Some(row) = rows.iter_mut().find(|row| row.subject == entry.subject)
            && let Some(index) = week.day_index(entry.day)
        {
            row.seconds[index] = row.seconds[index].saturating_add(entry.seconds);
        }
    }
    rows
}

/// At most `max` of the rows, in their order: those with the lowest rank.
pub(super) fn limited<K: Ord>(rows: Vec<Row>, max: usize, rank: impl Fn(&Row) -> K) -> Vec<Row> {
    let mut ranked: Vec<_> = rows.into_iter().enumerate().collect();
    ranked.sort_by_key(|(_, row)| rank(row));
    ranked.truncate(max);
    ranked.sort_by_key(|(place, _)| *place);
    ranked.into_iter().map(|(_, row)| row).collect()
}

/// The totals per day.
pub(super) fn totals(rows: &[Row]) -> [i32; 7] {
    let mut totals = [0_i32; 7];
    for row in rows {
        for (total, seconds) in totals.iter_mut().zip(row.seconds) {
            *total = total.saturating_add(seconds);
        }
    }
    totals
}

/// The key of a row in forms, such as `task-0190a8c4-0000-7000-8000-000000000001`.
pub(super) fn key_of(subject: Option<Subject>) -> String {
    subject.map_or_else(|| NO_RECORD.to_owned(), |(kind, id)| format!("{kind}-{id}"))
}

const NO_RECORD: &str = "none";
const CELL_PREFIX: &str = "cell-";
/// The length of the day in the name of a cell, with the hyphen before it.
const DAY_SUFFIX_LENGTH: usize = "-2026-11-23".len();

/// The record of a row; `None` for the row without a record, and for an unknown key.
pub(super) fn parse_key(key: &str) -> Option<Subject> {
    let (kind, id) = key.split_once('-')?;
    let kind = RecordKind::parse(kind).filter(|kind| LOGGABLE_KINDS.contains(kind))?;
    Some((kind, parse_uuid(id)?))
}

/// The name of the field of a cell.
pub(super) fn cell_name(subject: Option<Subject>, day: Date) -> String {
    format!("{CELL_PREFIX}{}-{day}", key_of(subject))
}

/// The row and the day of a cell, from the name of its field.
pub(super) fn parse_cell_name(name: &str) -> Option<(Option<Subject>, Date)> {
    let name = name.strip_prefix(CELL_PREFIX)?;
    let (key, day) = name.split_at_checked(name.len().checked_sub(DAY_SUFFIX_LENGTH)?)?;
    let subject = if key == NO_RECORD { None } else { Some(parse_key(key)?) };
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
        let logged = |subject, day, seconds| LoggedTime { subject, day, seconds };
        let all = [
            logged(None, date!(2026 - 11 - 23), 60),
            logged(TASK, date!(2026 - 11 - 24), 3_600),
            logged(TASK, date!(2026 - 11 - 24), 1_800),
            logged(TASK, date!(2026 - 11 - 29), 600),
        ];
        let rows = rows(week, &all, &[TASK, Some((RecordKind::Project, Uuid::nil()))]);
        assert_eq!(rows.iter().map(Row::total).collect::<Vec<_>>(), [60, 6_000, 0]);
        assert_eq!(rows[1].seconds, [0, 5_400, 0, 0, 0, 0, 600]);
        assert_eq!(totals(&rows), [60, 5_400, 0, 0, 0, 0, 600]);
    }

    #[test]
    fn rows_over_the_limit_are_left_out_from_the_end_unless_they_are_needed() {
        let subjects = [1, 2, 3, 4].map(|number| Some((RecordKind::Task, Uuid::from_u128(number))));
        let all = rows(Week::of(date!(2026 - 11 - 23)), &[], &subjects);
        let kept = |max: usize| {
            let kept = limited(all.clone(), max, |row| row.subject != subjects[3]);
            kept.into_iter().map(|row| row.subject).collect::<Vec<_>>()
        };
        assert_eq!(kept(2), [subjects[0], subjects[3]]);
        assert_eq!(kept(3), [subjects[0], subjects[1], subjects[3]]);
        assert_eq!(kept(4), subjects);
    }

    #[test]
    fn only_loggable_kinds_have_a_row() {
        for kind in RecordKind::ALL.iter().copied() {
            let subject = Some((kind, Uuid::from_u128(7)));
            let expected = subject.filter(|(kind, _)| LOGGABLE_KINDS.contains(kind));
            assert_eq!(parse_key(&key_of(subject)), expected, "{kind}");
        }
        assert_eq!(parse_key("canned_reply-00000000-0000-0000-0000-000000000007"), None);
    }

    #[test]
    fn a_cell_is_found_by_its_name() {
        let day = date!(2026 - 11 - 23);
        for subject in [None, TASK] {
            assert_eq!(parse_cell_name(&cell_name(subject, day)), Some((subject, day)));
        }
        for other in
            ["", "cell-", "cell-2026-11-23", "cell-none-2026-11-32", "cell-task-1-2026-11-23", "cell-x-2026-11-23"]
        {
            assert_eq!(parse_cell_name(other), None, "{other}");
        }
    }
}
