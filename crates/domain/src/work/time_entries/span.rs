//! When the work of an entry was done: while a timer ran, between two times, or for some time on a day.

use time::{Date, Duration, OffsetDateTime};

use super::{EntryStatus, TimeEntry, TimeEntryFields};
use crate::Error;
use crate::kernel::input::{Field, Integer, Problem, Problems};
use crate::kernel::time_zone::day_in;

/// The maximum length of an entry, in seconds.
pub const MAX_ENTRY_SECONDS: i32 = 86_400;

/// The length of an entry that only has a day.
pub type EntrySeconds = Integer<1, MAX_ENTRY_SECONDS>;

/// When the work of an entry was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// A timer is running.
    Running { date: Date, since: OffsetDateTime },
    /// Between two times.
    Times { date: Date, start: OffsetDateTime, end: OffsetDateTime },
    /// For some time on a day.
    Amount { date: Date, seconds: i32 },
}

impl Span {
    /// A running timer.
    pub fn running(since: OffsetDateTime, zone: &str) -> Self {
        Self::Running { date: day_in(zone, since), since }
    }

    /// From `start` to `end`; counts on the day of `start`.
    pub fn times(start: OffsetDateTime, end: OffsetDateTime, zone: &str) -> Self {
        Self::Times { date: day_in(zone, start), start, end }
    }

    /// The span of a stored entry.
    pub fn of(entry: &TimeEntry) -> Self {
        match (entry.started_at, entry.ended_at) {
            (Some(start), Some(end)) => Self::Times { date: entry.date, start, end },
            (Some(since), None) => Self::Running { date: entry.date, since },
            (None, _) => Self::Amount { date: entry.date, seconds: entry.seconds.unwrap_or_default() },
        }
    }

    pub const fn date(self) -> Date {
        match self {
            Self::Running { date, .. } | Self::Times { date, .. } | Self::Amount { date, .. } => date,
        }
    }

    /// How long it took, in whole seconds; `None` while the timer is running.
    pub fn seconds(self) -> Option<i32> {
        match self {
            Self::Running { .. } => None,
            Self::Times { start, end, .. } => Some(i32::try_from((end - start).whole_seconds()).unwrap_or(i32::MAX)),
            Self::Amount { seconds, .. } => Some(seconds),
        }
    }

    /// Start and end, if known. A running timer has no end.
    pub const fn range(self) -> Option<(OffsetDateTime, Option<OffsetDateTime>)> {
        match self {
            Self::Running { since, .. } => Some((since, None)),
            Self::Times { start, end, .. } => Some((start, Some(end))),
            Self::Amount { .. } => None,
        }
    }

    /// Whether the two overlap. One may begin when the other ends. A timer that was stopped at once takes no time.
    pub fn overlaps(self, other: Self) -> bool {
        if self.seconds() == Some(0) || other.seconds() == Some(0) {
            return false;
        }
        let (Some((start, end)), Some((other_start, other_end))) = (self.range(), other.range()) else { return false };
        let is_before = |end: Option<OffsetDateTime>, start: OffsetDateTime| end.is_some_and(|end| end <= start);
        !is_before(end, other_start) && !is_before(other_end, start)
    }

    /// Writes the span to the entry, and updates the status: an entry with an end is no longer running.
    pub fn store(self, entry: &mut TimeEntry) {
        let range = self.range();
        entry.date = self.date();
        entry.started_at = range.map(|(start, _)| start);
        entry.ended_at = range.and_then(|(_, end)| end);
        entry.seconds = self.seconds();
        entry.status = match (self, entry.status) {
            (Self::Running { .. }, _) => EntryStatus::Running,
            (_, EntryStatus::Running) => EntryStatus::Stopped,
            (_, status) => status,
        };
    }

    /// The span of an entry after an input. Absent fields keep their values. To change the day or the seconds of an entry with
    /// times, the input must set the times to null.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the fields do not describe exactly one span, or are out of range.
    pub(super) fn resolve(
        fields: &TimeEntryFields,
        stored: Option<&TimeEntry>,
        now: OffsetDateTime,
        zone: &str,
    ) -> Result<Self, Error> {
        let before = stored.map(Self::of);
        let (start_before, end_before) =
            before.and_then(Self::range).map_or((None, None), |(start, end)| (Some(start), end));
        let start = sent_or(&fields.started_at, start_before);
        let end = sent_or(&fields.ended_at, end_before);
        let (date, seconds) = (fields.date.set().copied(), fields.seconds.set().map(|seconds| seconds.get()));
        if start.is_none() && end.is_none() {
            return amount(date, seconds, before);
        }
        let mut problems = Problems::default();
        for (member, is_sent) in [("date", date.is_some()), ("seconds", seconds.is_some())] {
            if is_sent {
                let message = "follows from the start and the end: leave it out, or clear both times";
                problems.rule(member, "contradicts_times", message);
            }
        }
        let is_running = matches!(before, Some(Self::Running { .. }));
        match (start, end) {
            (None, _) => problems.rule("started_at", "required", "is needed with the end"),
            (Some(_), None) if !is_running => {
                problems.rule("ended_at", "required", "is needed with the start: only a running timer has no end");
            }
            // Unchanged times are not checked again: a timer may have ended as soon as it began, or in the future if the clock of
            // another instance is ahead.
            (Some(_), _) if (start, end) == (start_before, end_before) => {}
            (Some(start), end) => check_times(start, end, now, &mut problems),
        }
        problems.into_result()?;
        let start = start.unwrap_or(now);
        // The day stays as long as the time does: the workspace may have moved to another zone.
        let date = match before {
            Some(before) if start_before == Some(start) => before.date(),
            _ => day_in(zone, start),
        };
        Ok(end.map_or(Self::Running { date, since: start }, |end| Self::Times { date, start, end }))
    }
}

/// The value of a field after an input; null is `None`.
fn sent_or<T: Copy>(field: &Field<T>, before: Option<T>) -> Option<T> {
    match field {
        Field::Absent => before,
        Field::Null => None,
        Field::Set(value) => Some(*value),
    }
}

fn check_times(start: OffsetDateTime, end: Option<OffsetDateTime>, now: OffsetDateTime, problems: &mut Problems) {
    match end {
        Some(end) if end <= start => problems.rule("ended_at", "before_start", "must be later than the start"),
        Some(end) if end - start > Duration::seconds(MAX_ENTRY_SECONDS.into()) => {
            problems.rule("ended_at", "too_long", "must be at most 24 hours after the start");
        }
        None if start > now => {
            problems.rule("started_at", "in_future", "must not be in the future while the timer runs");
        }
        Some(_) | None => {}
    }
}

/// For some time on a day. An entry that had times keeps its day and its length.
fn amount(date: Option<Date>, seconds: Option<i32>, before: Option<Span>) -> Result<Span, Error> {
    let date = date.or(before.map(Span::date));
    let seconds = seconds.or(before.and_then(Span::seconds).filter(|seconds| *seconds > 0));
    if let (Some(date), Some(seconds)) = (date, seconds) {
        return Ok(Span::Amount { date, seconds });
    }
    let missing = [("date", date.is_some()), ("seconds", seconds.is_some())].into_iter().filter(|(_, there)| !there);
    let message = "a start and an end, or a date and a duration, are required";
    Err(Error::Invalid(missing.map(|(member, _)| Problem::new(member, "required", message)).collect()))
}
