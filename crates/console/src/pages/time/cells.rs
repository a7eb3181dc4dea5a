//! The cells of a member's week: what each shows, where it leads, and why its time was not saved.

use std::collections::HashMap;

use domain::UserId;
use domain::console::Names;
use domain::records::RecordKind;
use domain::work::time_entries::{EntryStatus, TimeEntry, WorkedDay};
use time::Date;
use uuid::Uuid;

use super::grid::{self, Row, Subject, Week};
use super::{day_label, link_to, worked_day};
use crate::form::{FormView, duration_of, hours_of};
use crate::texts::{label, text, text_named, text_with};

/// Input that was not saved, and why.
#[derive(Default)]
pub(super) struct Rejection {
    /// The typed text per cell.
    pub(super) typed: HashMap<String, String>,
    /// The names of the cells that were not saved.
    pub(super) wrong: Vec<(String, Wrong)>,
    /// The form that adds a row, if it was rejected or has input.
    pub(super) form: Option<FormView>,
}

/// Why a cell was not saved.
pub(super) enum Wrong {
    /// For this reason.
    Because(String),
    /// Its time has changed since the page was opened.
    ChangedSince,
    /// It was not saved before, and the form saves other cells.
    NotYet,
}

pub(super) struct CellView {
    /// The name of the field, and its id.
    pub(super) name: String,
    pub(super) label: String,
    pub(super) day: String,
    pub(super) value: String,
    /// The current time, without what was typed.
    pub(super) was: String,
    /// Whether the time is typed here.
    pub(super) is_input: bool,
    /// The page of the only entry, or the list of several, and the text of the link.
    pub(super) link: Option<(String, String)>,
    /// The statuses of entries that are not just recorded.
    pub(super) statuses: String,
    pub(super) error: Option<String>,
}

impl CellView {
    /// The id of the message that says why the cell was not saved.
    pub(super) fn error_id(&self) -> String {
        format!("{}-error", self.name)
    }
}

pub(super) struct RowView {
    pub(super) name: String,
    pub(super) href: Option<String>,
    /// The project of a task.
    pub(super) project: Option<String>,
    pub(super) cells: Vec<CellView>,
    pub(super) total: String,
}

/// What the cells of a week are rendered from.
pub(super) struct Cells<'a> {
    pub(super) week: Week,
    pub(super) member: UserId,
    pub(super) entries: &'a [TimeEntry],
    pub(super) names: &'a Names,
    /// The projects of tasks.
    pub(super) projects: &'a HashMap<Uuid, Uuid>,
    pub(super) rejection: &'a Rejection,
    /// Whether nothing can be changed on a day.
    pub(super) is_fixed: &'a dyn Fn(Date) -> bool,
}

impl Cells<'_> {
    pub(super) fn row(&self, row: &Row) -> RowView {
        let link = row.subject.map(|subject| link_to(subject, self.names));
        let (href, name) = link.map_or_else(|| (None, text("time-nothing")), |(href, name)| (Some(href), name));
        let days = self.week.days().into_iter().zip(row.seconds);
        let cells = days.map(|(day, seconds)| self.cell(row.subject, &name, day, seconds)).collect();
        RowView { cells, project: self.project_of(row.subject), total: hours_of(row.total()), name, href }
    }

    fn project_of(&self, subject: Option<Subject>) -> Option<String> {
        let (_, task) = subject.filter(|(kind, _)| *kind == RecordKind::Task)?;
        let project = self.projects.get(&task)?;
        self.names.records.get(&(RecordKind::Project, *project)).cloned()
    }

    fn cell(&self, subject: Option<Subject>, row: &str, date: Date, seconds: i32) -> CellView {
        let name = grid::cell_name(subject, date);
        let day = day_label(date);
        let label = text_with("time-cell", [("name", row.into()), ("day", day.clone().into())]);
        let worked = worked_day(self.entries, subject, date);
        let is_input = worked.is_editable() && !(self.is_fixed)(date);
        let was = if worked.entries.is_empty() { String::new() } else { duration_of(seconds) };
        let typed = self.rejection.typed.get(&name);
        let value = typed.filter(|_| is_input).unwrap_or(&was).clone();
        let (link, statuses) = (link_of(self.member, &worked, &label), statuses_of(&worked));
        let wrong = self.rejection.wrong.iter().find(|(wrong, _)| *wrong == name);
        let error = wrong.map(|(_, wrong)| {
            let message = message_of(wrong, &was, typed.map_or("", String::as_str), is_input);
            text_with("time-cell-error", [("cell", label.clone().into()), ("message", message.into())])
        });
        CellView { name, label, day, value, was, is_input, link, statuses, error }
    }
}

/// Why a cell was not saved: its current time, and what was typed.
fn message_of(wrong: &Wrong, was: &str, typed: &str, is_input: bool) -> String {
    let or_none = |time: &str| if time.is_empty() { hours_of(0) } else { time.to_owned() };
    let values = [("now", or_none(was)), ("typed", or_none(typed))].map(|(name, time)| (name, time.into()));
    let reason = match wrong {
        Wrong::Because(reason) => reason.clone(),
        Wrong::ChangedSince if is_input => return text_with("time-cell-changed", values),
        Wrong::NotYet if is_input => return text_with("time-cell-not-yet", values),
        Wrong::ChangedSince | Wrong::NotYet => text_with("time-cell-changed-otherwise", values),
    };
    if is_input || typed.is_empty() {
        return reason;
    }
    format!("{}. {}", reason.trim_end_matches('.'), text_named("time-cell-typed", typed))
}

/// The page of a day's only entry, or the list of its entries, and the text of the link.
fn link_of(member: UserId, day: &WorkedDay<'_>, cell: &str) -> Option<(String, String)> {
    let address = match &*day.entries {
        [] => return None,
        [entry] => return Some((format!("/time_entries/{}", entry.id), text_named("time-cell-entry", cell))),
        _ => {
            let date = day.date.to_string();
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.append_pair("member", &member.to_string());
            if let Some((kind, id)) = day.target {
                query.append_pair(&format!("{kind}_id"), &id.to_string());
            }
            query.append_pair("from", &date).append_pair("to", &date);
            format!("/time_entries?{}", query.finish())
        }
    };
    Some((address, text_with("time-cell-entries", [("cell", cell.into()), ("count", day.entries.len().into())])))
}

/// The statuses of a day's entries besides `stopped`, in words.
fn statuses_of(day: &WorkedDay<'_>) -> String {
    let mut statuses: Vec<EntryStatus> = Vec::new();
    for entry in day.entries.iter().filter(|entry| entry.status != EntryStatus::Stopped) {
        if !statuses.contains(&entry.status) {
            statuses.push(entry.status);
        }
    }
    let words: Vec<_> = statuses.into_iter().map(|status| label("value", status.as_str())).collect();
    words.join(", ")
}
