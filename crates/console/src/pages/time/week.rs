//! The page of a member's week: the logged time per record and day, in a grid that works with the keyboard alone.

use askama::Template;
use domain::console::WantedNames;
use domain::identity::access::{ApproveTimeEntries, Permission, Permit, ReadTimeEntries, UpdateTimeEntries};
use domain::kernel::input::{Parameters, Several, parse_date};
use domain::kernel::paging::PageRequest as Paging;
use domain::kernel::time_zone::day_in;
use domain::ports::Ports;
use domain::records::{self, RecordKind};
use domain::work::time_entries::{EntryStatus, TimeEntry, TimeEntryFields, TimeEntryFilter, TimeEntryOrder};
use domain::{Error, IssueId, UserId};
use http_core::query::{Query, QueryReader};
use time::Date;

use super::cells::{Cells, Rejection, RowView};
use super::grid::{self, LoggedTime, Row, Subject, Week};
use super::{TARGETS, day_label, period, target_of};
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
/// The maximum number of rows that the page shows, and that can be added to a week.
pub(super) const MAX_ROWS: usize = 40;

/// A week, and the rows that the user added to it.
pub(super) struct ShownWeek {
    pub(super) week: Week,
    pub(super) added: Vec<Subject>,
}

impl ShownWeek {
    /// The week of a day, with the rows that have these keys.
    pub(super) fn new<'k>(day: Date, keys: impl Iterator<Item = &'k str>) -> Self {
        let mut shown = Self { week: Week::of(day), added: Vec::new() };
        for subject in keys.filter_map(grid::parse_key) {
            let _ = shown.add(subject);
        }
        shown
    }

    /// Adds a row, unless it is there already. Returns false if there is no room for it.
    pub(super) fn add(&mut self, subject: Subject) -> bool {
        let is_there = self.added.contains(&subject);
        let has_room = self.added.len() < MAX_ROWS;
        if !is_there && has_room {
            self.added.push(subject);
        }
        is_there || has_room
    }

    pub(super) fn address(&self) -> String {
        let rows: Vec<_> = self.keys().into_iter().map(|key| format!("&row={key}")).collect();
        format!("{}{}", address(self.week), rows.concat())
    }

    /// The keys of the added rows.
    fn keys(&self) -> Vec<String> {
        self.added.iter().map(|subject| grid::key_of(Some(*subject))).collect()
    }
}

/// The address of a week without added rows.
fn address(week: Week) -> String {
    with(PATH, "", "week", &week.first().to_string())
}

/// The week, and the keys of the rows that the user added to it.
pub(crate) struct WeekQuery {
    week: Option<Date>,
    rows: Vec<String>,
}

impl Query for WeekQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let week = Parameters::single(query, "week").and_then(|text| parse_date(&text));
        Self { week, rows: Parameters::all(query, "row") }
    }
}

struct DayHead {
    label: String,
    is_today: bool,
    total: String,
}

/// Another week: its Monday and its address.
struct WeekLink {
    day: String,
    address: String,
}

impl WeekLink {
    fn to(week: Week) -> Self {
        Self { day: week.first().to_string(), address: address(week) }
    }
}

#[derive(Template)]
#[template(path = "time/week.html")]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of a page")]
pub(super) struct WeekPage {
    shell: Shell,
    /// The Monday.
    week: String,
    /// The address of the page.
    address: String,
    period: String,
    previous: WeekLink,
    next: WeekLink,
    /// The current week, if the page shows another one.
    current: Option<WeekLink>,
    days: Vec<DayHead>,
    rows: Vec<RowView>,
    total: String,
    /// Why cells were not saved: the id of each message, and the message.
    errors: Vec<(String, String)>,
    /// The keys of the rows that were added.
    added: Vec<String>,
    /// The list of the caller's entries.
    list: String,
    /// The list of the caller's entries in this week.
    week_list: String,
    /// What the page does not show, if the week has more entries or rows.
    cut_off: String,
    /// Whether there are entries to submit.
    may_submit: bool,
    may_update: bool,
    may_approve: bool,
    /// Whether the form that adds a row is open.
    is_adding: bool,
    form: FormView,
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

/// What a week with more entries than [`MAX_ENTRIES`] does not show.
pub(super) fn too_many_entries() -> String {
    text_with("time-cut-off", [("count", MAX_ENTRIES.into())])
}

/// The rows of a week, the totals per day, and the number of rows that the page does not show. Rows with input that was
/// not saved are always shown, and rows that were added come before the others.
fn rows_of(shown: &ShownWeek, entries: &[TimeEntry], rejection: &Rejection) -> (Vec<Row>, [i32; 7], usize) {
    let logged = |entry: &TimeEntry| LoggedTime {
        subject: target_of(entry),
        day: entry.date,
        seconds: entry.seconds.unwrap_or_default(),
    };
    let logged: Vec<_> = entries.iter().map(logged).collect();
    let unsaved = rejection.wrong.iter().filter_map(|(name, _)| grid::parse_cell_name(name));
    let unsaved: Vec<_> = unsaved.map(|(subject, _)| subject).collect();
    let added: Vec<_> = shown.added.iter().copied().map(Some).collect();
    let subjects: Vec<_> = added.iter().chain(&unsaved).copied().chain([None]).collect();
    let all = grid::rows(shown.week, &logged, &subjects);
    let (totals, count) = (grid::totals(&all), all.len());
    let rank = |row: &Row| (!unsaved.contains(&row.subject), !added.contains(&row.subject));
    let rows = grid::limited(all, MAX_ROWS, rank);
    let omitted = count.saturating_sub(rows.len());
    (rows, totals, omitted)
}

/// Takes three statements.
pub(super) async fn week_page(
    ports: &Ports,
    browser: &Browser,
    shown: &ShownWeek,
    rejection: Rejection,
) -> Result<WeekPage, Error> {
    let (permit, member) = reader(browser)?;
    let week = shown.week;
    let (entries, has_more) = entries_of(ports, &permit, member, week).await?;
    let (rows, totals, omitted) = rows_of(shown, &entries, &rejection);
    let tasks = rows.iter().filter_map(|row| row.subject).filter(|(kind, _)| *kind == RecordKind::Task);
    let projects = people::projects_of(ports, browser, tasks.map(|(_, id)| IssueId(id)).collect()).await?;
    let of_projects = projects.values().map(|project| (RecordKind::Project, *project));
    let records = rows.iter().filter_map(|row| row.subject).chain(of_projects).collect();
    let names = people::names(ports, browser, WantedNames { records, ..WantedNames::default() }).await?;
    let today = today(ports, &permit);
    let may_update = browser.may::<UpdateTimeEntries>();
    let locked = permit.workspace().time_locked_until;
    let is_fixed = |day: Date| has_more || !may_update || locked.is_some_and(|last| day <= last);
    let (entries, projects, rejected) = (&*entries, &projects, &rejection);
    let cells = Cells { week, member, entries, names: &names, projects, rejection: rejected, is_fixed: &is_fixed };
    let rows: Vec<_> = rows.iter().map(|row| cells.row(row)).collect();
    let errors = rows.iter().flat_map(|row| &row.cells);
    let errors = errors.filter_map(|cell| Some((cell.error_id(), cell.error.clone()?))).collect();
    let days = week.days().into_iter().zip(totals).map(|(day, total)| DayHead {
        label: day_label(day),
        is_today: day == today,
        total: hours_of(total),
    });
    let rows_omitted = || text_with("time-rows-omitted", [("count", omitted.into())]);
    let cut_off = [has_more.then(too_many_entries), (omitted > 0).then(rows_omitted)];
    let list = with("/time_entries", "", "member", &member.to_string());
    let form = rejection.form.unwrap_or_else(blank);
    Ok(WeekPage {
        shell: browser.shell(text("time-title")),
        week: week.first().to_string(),
        address: shown.address(),
        period: period(week),
        previous: WeekLink::to(week.previous()),
        next: WeekLink::to(week.next()),
        current: Some(Week::of(today)).filter(|current| *current != week).map(WeekLink::to),
        days: days.collect(),
        errors,
        rows,
        total: hours_of(totals.iter().sum::<i32>()),
        added: shown.keys(),
        week_list: format!("{list}&from={}&to={}", week.first(), week.last()),
        list,
        cut_off: cut_off.into_iter().flatten().collect::<Vec<_>>().join(" "),
        may_submit: may_update && entries.iter().any(|entry| entry.status == EntryStatus::Stopped),
        may_update,
        may_approve: browser.may::<ApproveTimeEntries>(),
        is_adding: form.error.is_some() || TARGETS.iter().any(|name| !form.is_blank(name)),
        form,
    })
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let PageRequest { ports, permit, query, browser, .. } = request;
    let day = query.week.unwrap_or_else(|| today(&ports, &permit));
    let shown = ShownWeek::new(day, query.rows.iter().map(String::as_str));
    responses::page(&browser, week_page(&ports, &browser, &shown, Rejection::default()).await?)
}
