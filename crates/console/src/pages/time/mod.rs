//! Time: the timer, a member's week, approval, the report, and time entries.

mod approval;
mod cells;
mod entries;
mod grid;
mod logged;
mod report;
mod save;
mod timer;
mod week;

use domain::console::undos::Undo;
use domain::console::{Names, WantedNames};
use domain::ports::Ports;
use domain::records::RecordKind;
use domain::work::time_entries::{TimeEntry, WorkedDay};
use http_core::Operation;
use time::Date;

use self::grid::Subject;
use crate::layout::Browser;
use crate::page::{PageResult, operation};
use crate::records::{self, address_of, day};
use crate::texts::{text, text_with};

pub(crate) use entries::TimeEntries;
pub(crate) use logged::logged_card;
pub(crate) use timer::start_button;

/// The pages besides those that every kind of record has.
pub(super) const OPERATIONS: [Operation; 11] = [
    operation::<week::Show>(),
    operation::<save::Save>(),
    operation::<save::Add>(),
    operation::<save::Submit>(),
    operation::<timer::Show>(),
    operation::<timer::Start>(),
    operation::<timer::Stop>(),
    operation::<logged::Show>(),
    operation::<approval::List>(),
    operation::<approval::Decide>(),
    operation::<report::Show>(),
];

/// Undoes an approval or another change of time entries, and redirects to an address.
pub(super) async fn undo_change(ports: &Ports, browser: &Browser, undo: Undo, back: String) -> PageResult {
    if approval::is_approval(&undo) {
        return approval::undo_approval(ports, browser, &undo, &back).await;
    }
    records::restore_values::<TimeEntries>(ports, browser, undo, back).await
}

/// The members that refer to the record on which the time was logged.
const TARGETS: [&str; 4] = ["task_id", "ticket_id", "project_id", "deal_id"];

/// The record on which the time was logged.
fn target_of(entry: &TimeEntry) -> Option<Subject> {
    let task = entry.task_id.map(|id| (RecordKind::Task, id.0));
    let ticket = entry.ticket_id.map(|id| (RecordKind::Ticket, id.0));
    let project = entry.project_id.map(|id| (RecordKind::Project, id.0));
    task.or(ticket).or(project).or(entry.deal_id.map(|id| (RecordKind::Deal, id.0)))
}

/// What was done for a record, or for none, on a day.
fn worked_day(entries: &[TimeEntry], target: Option<Subject>, date: Date) -> WorkedDay<'_> {
    let entries = entries.iter().filter(|entry| entry.date == date && target_of(entry) == target).collect();
    WorkedDay { target, date, entries }
}

/// The names needed to show these entries.
fn wanted_names<'e>(entries: impl IntoIterator<Item = &'e TimeEntry>) -> WantedNames {
    WantedNames { records: entries.into_iter().filter_map(target_of).collect(), ..WantedNames::default() }
}

/// The URL and name of a record.
fn link_to((kind, id): Subject, names: &Names) -> (String, String) {
    let name = names.records.get(&(kind, id)).cloned().unwrap_or_else(|| text("record-gone"));
    (address_of(kind, id), name)
}

/// The length of a note in lists, in characters.
const SHOWN_NOTE: usize = 120;

/// The start of a note's first line.
fn shortened(note: &str) -> String {
    let line = note.lines().next().unwrap_or_default();
    let start: String = line.chars().take(SHOWN_NOTE).collect();
    if start.len() < line.len() { format!("{start}…") } else { start }
}

/// A day, such as `Mon 23 Nov`.
fn day_label(day: Date) -> String {
    let (weekday, month) = (day.weekday().to_string(), day.month().to_string());
    format!("{} {} {}", &weekday[..3], day.day(), &month[..3])
}

/// The first and the last day of a week in words.
fn period(week: grid::Week) -> String {
    let [first, last] = [week.first(), week.last()].map(|date| day(&date.to_string()));
    text_with("time-period", [("from", first.into()), ("to", last.into())])
}
