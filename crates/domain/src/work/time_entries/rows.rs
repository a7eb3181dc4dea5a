//! Rows of imported files. Unlike requests, they may have the day and the length next to the times from which these follow, because
//! exports do.

use super::{EntryStatus, Span, TimeEntry, TimeEntryFields};
use crate::Error;
use crate::kernel::input::{Input, InputMode, Problems, format_timestamp};
use crate::kernel::time_zone::day_in;
use crate::ports::Tx;
use crate::records::{ImportRow, Writing, text_of};

/// Prepares a row for its entry. Rows that an operator imports must name the member, because an operator is none.
pub(super) fn prepare(
    row: &mut ImportRow,
    stored: Option<&TimeEntry>,
    tx: &mut dyn Tx,
    writing: &Writing,
) -> Result<(), Error> {
    if stored.is_none() && writing.credential.is_none() && text_of(row, "member_id").is_none() {
        let message = "must have a value: name the member in a column member_email, or for all rows with --value \
                       member_id:=ADDRESS";
        return Err(Error::invalid("member_id", "required", message));
    }
    settle_times(row, stored, tx)
}

/// Leaves out the day and the length of an entry with times, after checking that they are those that follow from the times.
fn settle_times(row: &mut ImportRow, stored: Option<&TimeEntry>, tx: &mut dyn Tx) -> Result<(), Error> {
    const CODE: &str = "contradicts_times";
    let cell = |name: &str| Some((name.to_owned(), row.get(name)?.clone()));
    let times = ["started_at", "ended_at"].into_iter().filter_map(cell).collect();
    // Times that cannot be read are reported with the rest of the row.
    let Ok(sent) = TimeEntryFields::from_object(times, InputMode::Create) else { return Ok(()) };
    let before = stored.and_then(|stored| Span::of(stored).range());
    let start = sent.started_at.set().copied().or(before.map(|(start, _)| start));
    let Some(start) = start else { return Ok(()) };
    let end = sent.ended_at.set().copied().or(before.and_then(|(_, end)| end));
    let mut problems = Problems::default();
    if let Some(date) = row.remove("date") {
        // The day stays as long as the time does: the workspace may have moved to another zone.
        let day = match stored {
            Some(stored) if stored.started_at == Some(start) => stored.date,
            _ => day_in(&tx.workspace().get()?.time_zone, start),
        };
        if date.as_str() != Some(day.to_string().as_str()) {
            let message = format!("must be {day}, the day of the start in the time zone of the workspace, or empty");
            problems.rule("date", CODE, message);
        }
    }
    if let Some(seconds) = row.remove("seconds") {
        // An end before the start is reported with the rest of the row.
        match end.filter(|end| *end >= start).map(|end| (end - start).whole_seconds()) {
            Some(length) if seconds.as_i64() != Some(length) => {
                problems.rule("seconds", CODE, format!("must be {length}, the time from start to end, or empty"));
            }
            None if end.is_none() && stored.is_some_and(|stored| stored.status == EntryStatus::Running) => {
                problems.rule("seconds", CODE, "must be empty while the timer is running");
            }
            _ => {}
        }
    }
    if row.is_empty() {
        // A change needs at least one member.
        row.insert("started_at".to_owned(), format_timestamp(start).into());
    }
    problems.into_result()
}
