//! Saving, extending and submitting a week.

use domain::Error;
use domain::identity::access::{CreateTimeEntries, Permission, Permit, UpdateTimeEntries};
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::{Field, Input, Several, parse_date, parse_uuid};
use domain::ports::Ports;
use domain::work::time_entries::{self, EntryIds, EntryStatus, TimeEntryFields, WorkedDay};
use time::Date;

use super::grid::{self, Subject, Week};
use super::week::{Rejection, address, blank, entries_of, reader, today, week_page};
use super::{TARGETS, target_of};
use crate::errors::message_of;
use crate::form::{Form, WAS, hours_of, kind_of_reference, once_for_field, seconds_of};
use crate::layout::Browser;
use crate::page::{PageRequest, PageResult, PageRoute, page};
use crate::parts::{people, pick};
use crate::responses::{self, Notice};
use crate::texts::{text, text_with};

page! {
    Save = "POST /time", access: UpdateTimeEntries => save;
    Add = "POST /time/rows", access: CreateTimeEntries => add;
    Submit = "POST /time/submit", access: UpdateTimeEntries => submit;
}

/// The maximum number of cells that a form can change.
const MAX_CELLS: usize = 100;

/// The week in a form, and the row that the user added to it.
fn week_in<P: Permission>(ports: &Ports, permit: &Permit<P>, form: &Form) -> (Week, Option<Subject>) {
    let day = form.value("week").and_then(parse_date).unwrap_or_else(|| today(ports, permit));
    (Week::of(day), form.value("row").and_then(grid::parse_key))
}

/// The new value of a cell.
struct CellChange<'f> {
    name: &'f str,
    subject: Option<Subject>,
    day: Date,
    seconds: i32,
}

/// The changed cells, and those with errors.
fn cell_changes(form: &Form) -> (Vec<CellChange<'_>>, Rejection) {
    let (mut changed, mut rejection) = (Vec::new(), Rejection::default());
    for (name, value) in form.pairs() {
        let Some((subject, day)) = grid::parse_cell_name(name) else { continue };
        let typed = value.trim();
        if form.value(&format!("{WAS}{name}")) == Some(typed) {
            continue;
        }
        rejection.typed.insert(name.to_owned(), typed.to_owned());
        let seconds = if matches!(typed, "" | "0" | "0:00") { Some(0) } else { seconds_of(typed) };
        match seconds {
            Some(_) if changed.len() == MAX_CELLS => {
                rejection.wrong.push((name.to_owned(), text("time-too-many")));
                break;
            }
            Some(seconds) => changed.push(CellChange { name, subject, day, seconds }),
            None => rejection.wrong.push((name.to_owned(), text("time-cell-wrong"))),
        }
    }
    (changed, rejection)
}

/// Saves cells one by one. Returns the cells that could not be saved.
async fn save_cells(
    ports: &Ports,
    permit: &Permit<UpdateTimeEntries>,
    browser: &Browser,
    week: Week,
    form: &Form,
    cells: Vec<CellChange<'_>>,
) -> Result<Rejection, Error> {
    let (reader, member) = reader(browser)?;
    let (entries, has_more) = entries_of(ports, &reader, member, week).await?;
    if has_more {
        return Err(Error::Conflict(text("time-cut-off")));
    }
    let mut rejection = Rejection::default();
    // Entries on days of other weeks were not read.
    for CellChange { name, subject, day, seconds } in cells.into_iter().filter(|cell| week.days().contains(&cell.day)) {
        let cell_entries = entries.iter().filter(|entry| entry.date == day && target_of(entry) == subject).collect();
        let logged_day = WorkedDay { target: subject, date: day, entries: cell_entries };
        let once = once_for_field(form, name, Save::ROUTE);
        match time_entries::set_day(ports, permit, &logged_day, seconds, once).await {
            Ok(()) => {}
            Err(Error::Store(error)) => return Err(Error::Store(error)),
            Err(error) => {
                let message = error.details().into_iter().next().map(|one| one.message);
                rejection.wrong.push((name.to_owned(), message.unwrap_or_else(|| message_of(&error))));
                rejection.typed.insert(name.to_owned(), hours_of(seconds));
            }
        }
    }
    Ok(rejection)
}

async fn save(request: PageRequest<Save>) -> PageResult {
    let PageRequest { ports, permit, form, mut browser, .. } = request;
    let (week, added) = week_in(&ports, &permit, &form);
    let (cells, mut rejection) = cell_changes(&form);
    if rejection.wrong.is_empty() {
        rejection = save_cells(&ports, &permit, &browser, week, &form, cells).await?;
        // Some cells may have been saved. If the user empties them and fills them in again, that must add new entries.
        browser.once = None;
    }
    if !rejection.wrong.is_empty() {
        return responses::unprocessable(&browser, week_page(&ports, &browser, week, added, rejection).await?);
    }
    let address = address(week, added);
    if browser.is_htmx {
        // htmx follows the redirect, and takes the grid from the page.
        return Ok(responses::redirect_from(&browser.base(), &address, false).finish());
    }
    Ok(responses::redirect(&browser, &address, Some(Notice::new(text("time-saved")))))
}

async fn add(request: PageRequest<Add>) -> PageResult {
    let PageRequest { ports, permit, mut form, browser, .. } = request;
    let typed = form.clone();
    let (week, _) = week_in(&ports, &permit, &form);
    let mut members = TimeEntryFields::members();
    members.retain(|member| TARGETS.contains(&member.name));
    let resolved = pick::resolve(&ports, &browser, &mut form, &members).await;
    let subjects = TARGETS.iter().filter_map(|name| Some((kind_of_reference(name)?, parse_uuid(form.value(name)?)?)));
    let subjects: Vec<Subject> = subjects.collect();
    let error = match (resolved, &subjects[..]) {
        (Ok(()), [subject]) => return Ok(responses::redirect(&browser, &address(week, Some(*subject)), None)),
        (Ok(()), _) => Error::Conflict(text("time-add-one")),
        (Err(error), _) => error,
    };
    let view = blank().with_input(&typed);
    let names = people::names(&ports, &browser, view.wanted_names()).await?;
    let rejection = Rejection { form: Some(view.with_names(&names).with_error(error)?), ..Rejection::default() };
    responses::unprocessable(&browser, week_page(&ports, &browser, week, None, rejection).await?)
}

async fn submit(request: PageRequest<Submit>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let (week, _) = week_in(&ports, &permit, &form);
    let (reader, member) = reader(&browser)?;
    let (entries, _) = entries_of(&ports, &reader, member, week).await?;
    let stopped = entries.iter().filter(|entry| entry.status == EntryStatus::Stopped);
    let ids: Vec<_> = stopped.map(|entry| entry.id).collect();
    let notice = if ids.is_empty() {
        Notice::refusal(text("time-submitted-none"))
    } else {
        let ids = EntryIds { ids: Field::Set(Several(ids)) };
        let submitted = time_entries::submit(&ports, &permit, None, ids).await;
        match submitted.and_then(IdempotentResult::made_now) {
            Ok(entries) => Notice::new(text_with("time-submitted", [("count", entries.len().into())])),
            Err(error @ (Error::InvalidStateChange(_) | Error::Invalid(_))) => Notice::refusal(message_of(&error)),
            Err(error) => return Err(error.into()),
        }
    };
    Ok(responses::redirect(&browser, &address(week, None), Some(notice)))
}
