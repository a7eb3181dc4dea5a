//! The week of a member: what was worked on, by day, in a grid that the keyboard alone fills.

use std::collections::HashMap;

use askama::Template;
use domain::console::{Names, WantedNames};
use domain::identity::access::{ApproveTimeEntries, Permission, Permit, ReadTimeEntries, UpdateTimeEntries};
use domain::kernel::input::{Parameters, Several, parse_date};
use domain::kernel::paging::PageRequest as Paging;
use domain::kernel::time_zone::day_in;
use domain::ports::Ports;
use domain::records;
use domain::work::time_entries::{EntryStatus, TimeEntry, TimeEntryFields, TimeEntryFilter, TimeEntryOrder};
use domain::{Error, UserId};
use http_core::query::{Query, QueryReader};
use time::Date;

use super::grid::{self, Row, Subject, Week, Worked};
use super::{TARGETS, day_label, link_to, period, target_of};
use crate::filters;
use crate::form::{FormView, hours_of};
use crate::layout::{Browser, Shell};
use crate::lists::with;
use crate::page::{PageRequest, PageResult, page};
use crate::parts::people;
use crate::responses;
use crate::texts::{text, text_with};

page! {
    Show = "GET /time", access: ReadTimeEntries, query: WeekQuery => show
}

const PATH: &str = "/time";
/// As many entries as a week shows; the grid of a longer one is not for typing.
const MOST_ENTRIES: u32 = 500;
/// As many rows.
const MOST_ROWS: usize = 40;

/// The week, and a row that was added to it.
pub(crate) struct WeekQuery {
    week: Option<Date>,
    row: Option<String>,
}

impl Query for WeekQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let week = Parameters::single(query, "week").and_then(|text| parse_date(&text));
        Self { week, row: Parameters::single(query, "row") }
    }
}

/// What a form did not save.
#[derive(Default)]
pub(super) struct Rejection {
    /// What was typed, by cell.
    pub(super) typed: HashMap<String, String>,
    /// What is wrong with cells.
    pub(super) wrong: Vec<(String, String)>,
    /// The form for a row, where it was refused.
    pub(super) form: Option<FormView>,
}

struct DayHead {
    label: String,
    is_today: bool,
}

struct CellView {
    /// Its name in the form, and its id.
    name: String,
    label: String,
    value: String,
    was: String,
    is_fixed: bool,
    error: Option<String>,
}

struct RowView {
    name: String,
    href: Option<String>,
    cells: Vec<CellView>,
    total: String,
}

#[derive(Template)]
#[template(path = "time/week.html")]
#[expect(clippy::struct_excessive_bools, reason = "what the page offers, each on its own")]
pub(super) struct WeekPage {
    shell: Shell,
    /// The Monday.
    week: String,
    period: String,
    previous: String,
    next: String,
    is_current: bool,
    days: Vec<DayHead>,
    rows: Vec<RowView>,
    totals: Vec<String>,
    total: String,
    errors: Vec<String>,
    /// The row that was added.
    added: Option<String>,
    /// The list of the caller's entries.
    list: String,
    /// Whether there is more than the page shows.
    is_cut_off: bool,
    /// Whether there is something to submit.
    may_submit: bool,
    may_update: bool,
    may_approve: bool,
    form: FormView,
}

pub(super) fn address(week: Week, added: Option<Subject>) -> String {
    let address = with(PATH, "", "week", &week.first().to_string());
    if added.is_some() { format!("{address}&row={}", grid::key_of(added)) } else { address }
}

/// The day that it is where the workspace is.
pub(super) fn today<P: Permission>(ports: &Ports, permit: &Permit<P>) -> Date {
    day_in(&permit.workspace().time_zone, ports.clock.now())
}

/// The entries of a member's week, and whether there are more. One statement.
pub(super) async fn entries_of(
    ports: &Ports,
    permit: &Permit<ReadTimeEntries>,
    member: UserId,
    week: Week,
) -> Result<(Vec<TimeEntry>, bool), Error> {
    let filter = TimeEntryFilter {
        member: Several(vec![member]),
        from: Some(week.first()),
        to: Some(week.last()),
        order: Some(TimeEntryOrder::DateUp),
        ..TimeEntryFilter::default()
    };
    let page = records::list::<TimeEntry>(ports, permit, filter, Paging::first(MOST_ENTRIES)).await?;
    Ok((page.items, page.has_more))
}

/// Who reads time entries, and whose these are.
pub(super) fn reader(browser: &Browser) -> Result<(Permit<ReadTimeEntries>, UserId), Error> {
    let permit = browser.permit::<ReadTimeEntries>().ok_or(Error::RoleNeeded)?;
    Ok((permit, browser.user().ok_or(Error::SessionNeeded)?))
}

pub(super) fn blank() -> FormView {
    FormView::new::<TimeEntryFields>().only(&TARGETS).without_help()
}

/// What the cells of a week show.
struct Cells<'a> {
    week: Week,
    names: &'a Names,
    rejection: &'a Rejection,
    is_fixed: &'a dyn Fn(Date) -> bool,
}

impl Cells<'_> {
    fn row(&self, row: &Row) -> RowView {
        let link = row.subject.map(|subject| link_to(subject, self.names));
        let (href, name) = link.map_or_else(|| (None, text("time-nothing")), |(href, name)| (Some(href), name));
        let days = self.week.days().into_iter().zip(row.seconds);
        let cells = days.map(|(day, seconds)| self.cell(row.subject, &name, day, seconds)).collect();
        RowView { cells, total: hours_of(row.total()), name, href }
    }

    fn cell(&self, subject: Option<Subject>, row: &str, day: Date, seconds: i32) -> CellView {
        let name = grid::name_of(subject, day);
        let label = text_with("time-cell", [("name", row.into()), ("day", day_label(day).into())]);
        let wrong = self.rejection.wrong.iter().find(|(wrong, _)| *wrong == name);
        let error = wrong.map(|(_, message)| {
            text_with("time-cell-error", [("cell", label.clone().into()), ("message", message.clone().into())])
        });
        let was = if seconds == 0 { String::new() } else { hours_of(seconds) };
        let value = self.rejection.typed.get(&name).cloned().unwrap_or_else(|| was.clone());
        CellView { name, label, value, was, is_fixed: (self.is_fixed)(day), error }
    }
}

/// The page of a week. Two statements.
pub(super) async fn week_page(
    ports: &Ports,
    browser: &Browser,
    week: Week,
    added: Option<Subject>,
    rejection: Rejection,
) -> Result<WeekPage, Error> {
    let (permit, member) = reader(browser)?;
    let (entries, has_more) = entries_of(ports, &permit, member, week).await?;
    let worked = |entry: &TimeEntry| Worked {
        subject: target_of(entry),
        day: entry.date,
        seconds: entry.seconds.unwrap_or_default(),
    };
    let worked: Vec<_> = entries.iter().map(worked).collect();
    let more: Vec<_> = added.map(Some).into_iter().chain([None]).collect();
    let mut rows = grid::rows(week, &worked, &more);
    let is_cut_off = has_more || rows.len() > MOST_ROWS;
    let totals = grid::totals(&rows);
    rows.truncate(MOST_ROWS);
    let records = rows.iter().filter_map(|row| row.subject).collect();
    let names = people::names(ports, browser, WantedNames { records, ..WantedNames::default() }).await?;
    let today = today(ports, &permit);
    let may_update = browser.may::<UpdateTimeEntries>();
    let locked = permit.workspace().time_locked_until;
    let is_fixed = |day: Date| has_more || !may_update || locked.is_some_and(|last| day <= last);
    let cells = Cells { week, names: &names, rejection: &rejection, is_fixed: &is_fixed };
    let rows: Vec<_> = rows.iter().map(|row| cells.row(row)).collect();
    let errors = rows.iter().flat_map(|row| &row.cells).filter_map(|cell| cell.error.clone());
    Ok(WeekPage {
        shell: browser.shell(text("time-title")),
        week: week.first().to_string(),
        period: period(week),
        previous: address(week.previous(), None),
        next: address(week.next(), None),
        is_current: week == Week::of(today),
        days: week.days().map(|day| DayHead { label: day_label(day), is_today: day == today }).into(),
        errors: errors.collect(),
        rows,
        total: hours_of(totals.iter().sum::<i32>()),
        totals: totals.map(hours_of).into(),
        added: added.map(|_| grid::key_of(added)),
        list: with("/time_entries", "", "member", &member.to_string()),
        is_cut_off,
        may_submit: may_update && entries.iter().any(|entry| entry.status == EntryStatus::Stopped),
        may_update,
        may_approve: browser.may::<ApproveTimeEntries>(),
        form: rejection.form.unwrap_or_else(blank),
    })
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let PageRequest { ports, permit, query, browser, .. } = request;
    let week = Week::of(query.week.unwrap_or_else(|| today(&ports, &permit)));
    let added = query.row.as_deref().and_then(grid::subject_named);
    responses::page(&browser, week_page(&ports, &browser, week, added, Rejection::default()).await?)
}
