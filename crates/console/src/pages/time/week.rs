//! The page of a member's week: the logged time per record and day, in a grid that works with the keyboard alone.

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

use super::grid::{self, LoggedTime, Row, Subject, Week};
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
/// The maximum number of entries in an editable week. A longer week is read-only.
const MAX_ENTRIES: u32 = 500;
/// The maximum number of rows.
const MAX_ROWS: usize = 40;

/// The week, and the row that the user added to it.
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

/// Input that was not saved, and why.
#[derive(Default)]
pub(super) struct Rejection {
    /// The typed text per cell.
    pub(super) typed: HashMap<String, String>,
    /// Errors, with the names of their cells.
    pub(super) wrong: Vec<(String, String)>,
    /// The form that adds a row, if it was rejected.
    pub(super) form: Option<FormView>,
}

struct DayHead {
    label: String,
    is_today: bool,
}

struct CellView {
    /// The name of the field, and its id.
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
#[expect(clippy::struct_excessive_bools, reason = "independent properties of a page")]
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
    /// Whether the week has more entries or rows than the page shows.
    is_cut_off: bool,
    /// Whether there are entries to submit.
    may_submit: bool,
    may_update: bool,
    may_approve: bool,
    form: FormView,
}

pub(super) fn address(week: Week, added: Option<Subject>) -> String {
    let address = with(PATH, "", "week", &week.first().to_string());
    if added.is_some() { format!("{address}&row={}", grid::key_of(added)) } else { address }
}

/// Today's date in the workspace's time zone.
pub(super) fn today<P: Permission>(ports: &Ports, permit: &Permit<P>) -> Date {
    day_in(&permit.workspace().time_zone, ports.clock.now())
}

/// The entries in a member's week, and whether there are more. One statement.
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
    let page = records::list::<TimeEntry>(ports, permit, filter, Paging::first(MAX_ENTRIES)).await?;
    Ok((page.items, page.has_more))
}

/// The permit to read time entries, and the member whose week it is: the caller.
pub(super) fn reader(browser: &Browser) -> Result<(Permit<ReadTimeEntries>, UserId), Error> {
    let permit = browser.permit::<ReadTimeEntries>().ok_or(Error::RoleNeeded)?;
    Ok((permit, browser.user().ok_or(Error::SessionNeeded)?))
}

pub(super) fn blank() -> FormView {
    FormView::new::<TimeEntryFields>().only(&TARGETS).without_help()
}

/// What the cells of a week are rendered from.
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
        let name = grid::cell_name(subject, day);
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

/// Takes two statements.
pub(super) async fn week_page(
    ports: &Ports,
    browser: &Browser,
    week: Week,
    added: Option<Subject>,
    rejection: Rejection,
) -> Result<WeekPage, Error> {
    let (permit, member) = reader(browser)?;
    let (entries, has_more) = entries_of(ports, &permit, member, week).await?;
    let logged = |entry: &TimeEntry| LoggedTime {
        subject: target_of(entry),
        day: entry.date,
        seconds: entry.seconds.unwrap_or_default(),
    };
    let logged: Vec<_> = entries.iter().map(logged).collect();
    let subjects: Vec<_> = added.map(Some).into_iter().chain([None]).collect();
    let mut rows = grid::rows(week, &logged, &subjects);
    let is_cut_off = has_more || rows.len() > MAX_ROWS;
    let totals = grid::totals(&rows);
    rows.truncate(MAX_ROWS);
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
    let added = query.row.as_deref().and_then(grid::parse_key);
    responses::page(&browser, week_page(&ports, &browser, week, added, Rejection::default()).await?)
}
