//! Saving, extending and submitting a week. Every button of the page sends the whole form, so none loses what was typed.

use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::identity::access::{Permission, Permit, UpdateTimeEntries};
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::{Input, parse_date, parse_uuid};
use domain::ports::Ports;
use domain::work::time_entries::{self, DayOutcome, DayTotal, EntryIds, EntryStatus, TimeEntryFields};
use domain::{Error, TimeEntryId};
use time::Date;

use super::approval::decided;
use super::cells::{Rejection, Wrong};
use super::grid::{self, Subject, Week};
use super::week::{MAX_ROWS, ShownWeek, blank, entries_of, reader, today, too_many_entries, week_page};
use super::{TARGETS, target_of, worked_day};
use crate::errors::message_of;
use crate::form::{Form, WAS, kind_of_reference, once_for_field, seconds_of};
use crate::layout::Browser;
use crate::page::{PageRequest, PageResult, PageRoute, page};
use crate::parts::{people, pick};
use crate::responses::{self, Notice};
use crate::texts::{text, text_with};

page! {
    Save = "POST /time", access: UpdateTimeEntries => save;
    Add = "POST /time/rows", access: UpdateTimeEntries => add;
    Submit = "POST /time/submit", access: UpdateTimeEntries => submit;
}

/// The maximum number of cells that a form can change.
const MAX_CELLS: usize = 100;
/// The field with the day of the week that is opened after saving.
const GO: &str = "_go";
/// The field of the button that copies the rows of last week.
const COPY: &str = "_copy";
/// The fields with the names of the cells to save. Without them, all typed cells are saved.
const ONLY: &str = "_cell";

/// The week in a form, with the rows that the user added to it or changed.
fn week_in<P: Permission>(ports: &Ports, permit: &Permit<P>, form: &Form) -> ShownWeek {
    let day = form.value("week").and_then(parse_date).unwrap_or_else(|| today(ports, permit));
    let mut shown = ShownWeek::new(day, form.values("row"));
    // A row stays while one of its cells is typed, even if its entries are gone by now.
    let was = |name: &str| form.value(&format!("{WAS}{name}")).unwrap_or_default();
    let typed = form.pairs().filter(|(name, value)| value.trim() != was(name));
    for subject in typed.filter_map(|(name, _)| grid::parse_cell_name(name)?.0) {
        let _ = shown.add(subject);
    }
    shown
}

/// The new time of a cell.
struct CellChange<'f> {
    name: &'f str,
    subject: Option<Subject>,
    day: Date,
    total: DayTotal,
}

/// What became of the typed cells, and of the row to add.
#[derive(Default)]
struct Saved {
    /// Whether a cell was to be saved.
    has_changes: bool,
    deleted: Vec<TimeEntryId>,
    rejection: Rejection,
    /// The row that was added.
    row: Option<Subject>,
    /// Why the row was not added, and the records that its text can mean.
    row_error: Option<Error>,
    offers: pick::Offers,
}

impl Saved {
    /// Whether a part of the input was not saved.
    fn is_refused(&self) -> bool {
        !self.rejection.wrong.is_empty() || self.row_error.is_some()
    }

    /// Offers to restore the entries whose time was removed.
    fn notice(&self) -> Option<Notice> {
        let notice = |deleted: usize| Notice::new(text_with("time-deleted", [("count", deleted.into())]));
        match &*self.deleted {
            [] => None,
            [id] => Some(notice(1).with_undo(format!("/time_entries/{id}/restore"))),
            several => {
                let ids: Vec<_> = several.iter().flat_map(|id| id.0.into_bytes()).collect();
                Some(notice(several.len()).with_undo_of_many("/time_entries/bulk", URL_SAFE_NO_PAD.encode(ids)))
            }
        }
    }
}

/// The seconds that were typed into a cell, or shown in it; an empty cell has none.
fn seconds_in(typed: &str) -> Option<i32> {
    if matches!(typed, "" | "0" | "0:00") { Some(0) } else { seconds_of(typed) }
}

/// The changed cells, and those that cannot or should not be saved now.
fn cell_changes(form: &Form) -> (Vec<CellChange<'_>>, Rejection) {
    let (mut changed, mut rejection) = (Vec::new(), Rejection::default());
    for (name, value) in form.pairs() {
        let Some((subject, day)) = grid::parse_cell_name(name) else { continue };
        let typed = value.trim();
        let shown = form.value(&format!("{WAS}{name}")).unwrap_or_default();
        if shown == typed {
            continue;
        }
        let _ = rejection.typed.insert(name.to_owned(), typed.to_owned());
        let is_wanted = !form.has(ONLY) || form.values(ONLY).any(|one| one == name);
        let wrong = match seconds_in(typed) {
            None => Wrong::Because(text("time-cell-wrong")),
            Some(_) if !is_wanted => Wrong::NotYet,
            Some(_) if changed.len() == MAX_CELLS => Wrong::Because(text("time-too-many")),
            Some(wanted) => {
                let total = DayTotal { seen: seconds_in(shown).unwrap_or_default(), wanted };
                changed.push(CellChange { name, subject, day, total });
                continue;
            }
        };
        rejection.wrong.push((name.to_owned(), wrong));
    }
    (changed, rejection)
}

/// Saves the typed cells of a form one by one.
async fn save_cells(
    ports: &Ports,
    permit: &Permit<UpdateTimeEntries>,
    browser: &mut Browser,
    week: Week,
    form: &Form,
) -> Result<Saved, Error> {
    let (cells, rejection) = cell_changes(form);
    let mut saved = Saved { has_changes: !cells.is_empty(), rejection, ..Saved::default() };
    if !saved.has_changes {
        return Ok(saved);
    }
    let (reader, member) = reader(browser)?;
    let (entries, has_more) = entries_of(ports, &reader, member, week).await?;
    if has_more {
        return Err(Error::Conflict(too_many_entries()));
    }
    // Entries on days of other weeks were not read.
    for CellChange { name, subject, day, total } in cells.into_iter().filter(|cell| week.days().contains(&cell.day)) {
        let once = once_for_field(form, name, Save::ROUTE);
        let wrong = match time_entries::set_day(ports, permit, &worked_day(&entries, subject, day), total, once).await {
            Ok(DayOutcome::Saved { deleted }) => {
                saved.deleted.extend(deleted);
                let _ = saved.rejection.typed.remove(name);
                continue;
            }
            Ok(DayOutcome::ChangedSince) => Wrong::ChangedSince,
            Err(Error::Store(error)) => return Err(Error::Store(error)),
            Err(error) => {
                let message = error.details().into_iter().next().map(|one| one.message);
                Wrong::Because(message.unwrap_or_else(|| message_of(&error)))
            }
        };
        saved.rejection.wrong.push((name.to_owned(), wrong));
    }
    // If the user empties cells that were saved and fills them in again, that must add new entries.
    browser.once = None;
    Ok(saved)
}

/// Saves the typed cells, and then adds the row whose record was typed. With `needs_row`, one must have been typed.
async fn save_all(
    ports: &Ports,
    permit: &Permit<UpdateTimeEntries>,
    browser: &mut Browser,
    shown: &mut ShownWeek,
    form: &Form,
    needs_row: bool,
) -> Result<Saved, Error> {
    let mut saved = save_cells(ports, permit, browser, shown.week, form).await?;
    if saved.is_refused() || !(needs_row || names_row(form)) {
        return Ok(saved);
    }
    match chosen_row(ports, browser, form.clone(), &mut saved.offers).await {
        Ok(row) if shown.add(row) => saved.row = Some(row),
        Ok(_) => {
            saved.row_error = Some(Error::Conflict(text_with("time-rows-full", [("count", MAX_ROWS.into())])));
        }
        Err(error) => saved.row_error = Some(error),
    }
    Ok(saved)
}

/// Shows the week again, with the cells that were not saved, and with the form that adds a row.
async fn refuse(ports: &Ports, mut browser: Browser, shown: &ShownWeek, form: &Form, mut saved: Saved) -> PageResult {
    let mut view = blank().with_input(form);
    let names = people::names(ports, &browser, view.wanted_names()).await?;
    view = view.with_names(&names);
    if let Some(error) = saved.row_error.take() {
        view = view.with_offers(std::mem::take(&mut saved.offers)).with_error(error)?;
    }
    if let Some(notice) = saved.notice() {
        browser.notice = Some(notice);
    }
    saved.rejection.form = Some(view);
    responses::unprocessable(&browser, week_page(ports, &browser, shown, saved.rejection).await?)
}

async fn save(request: PageRequest<Save>) -> PageResult {
    let PageRequest { ports, permit, form, mut browser, .. } = request;
    let next = form.value(GO).and_then(parse_date).map(Week::of);
    // Enter in the form that adds a row.
    if next.is_none() && names_row(&form) {
        return add_row(&ports, &permit, &form, browser).await;
    }
    let mut shown = week_in(&ports, &permit, &form);
    let saved = save_all(&ports, &permit, &mut browser, &mut shown, &form, false).await?;
    if saved.is_refused() {
        return refuse(&ports, browser, &shown, &form, saved).await;
    }
    let deleted = saved.notice();
    if browser.is_htmx {
        // htmx follows the redirect, and takes the grid and the message from the page.
        let mut response = responses::redirect_from(&browser.base(), &shown.address(), false);
        if let Some(notice) = deleted {
            responses::append_notice(&mut response, &browser, &browser.slug, &notice);
        }
        return Ok(response.finish());
    }
    let saved_week = (saved.has_changes || next.is_none()).then(|| Notice::new(text("time-saved")));
    let target = match next {
        Some(week) => ShownWeek { week, added: saved.row.into_iter().collect() },
        None => shown,
    };
    Ok(responses::redirect(&browser, &target.address(), deleted.or(saved_week)))
}

/// Whether the form that adds a row is filled in.
fn names_row(form: &Form) -> bool {
    TARGETS.iter().any(|name| form.value(name).is_some_and(|typed| !typed.trim().is_empty()))
}

async fn add(request: PageRequest<Add>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    add_row(&ports, &permit, &form, browser).await
}

async fn add_row(ports: &Ports, permit: &Permit<UpdateTimeEntries>, form: &Form, mut browser: Browser) -> PageResult {
    let mut shown = week_in(ports, permit, form);
    let saved = save_all(ports, permit, &mut browser, &mut shown, form, !form.has(COPY)).await?;
    if saved.is_refused() {
        return refuse(ports, browser, &shown, form, saved).await;
    }
    let mut notice = saved.notice();
    if form.has(COPY)
        && let Some(message) = copy_rows(ports, &browser, &mut shown).await?
    {
        notice = Some(with_deleted(Notice::refusal(message), notice));
    }
    Ok(responses::redirect(&browser, &shown.address(), notice))
}

/// Adds the rows of the week before. Returns why none or not all of them were added.
async fn copy_rows(ports: &Ports, browser: &Browser, shown: &mut ShownWeek) -> Result<Option<String>, Error> {
    let rows = rows_before(ports, browser, shown.week).await?;
    if rows.is_empty() {
        return Ok(Some(text("time-copy-none")));
    }
    let omitted = rows.into_iter().filter(|row| !shown.add(*row)).collect::<HashSet<_>>().len();
    let values = [("count", omitted.into()), ("max", MAX_ROWS.into())];
    Ok((omitted > 0).then(|| text_with("time-rows-not-copied", values)))
}

/// A notice together with the offer to restore deleted entries.
fn with_deleted(notice: Notice, deleted: Option<Notice>) -> Notice {
    match deleted {
        Some(deleted) => Notice { message: format!("{} {}", notice.message, deleted.message), ..deleted },
        None => notice,
    }
}

/// The record that was chosen for a new row. Adds the records that its text can mean to `offers`.
async fn chosen_row(
    ports: &Ports,
    browser: &Browser,
    mut form: Form,
    offers: &mut pick::Offers,
) -> Result<Subject, Error> {
    let mut members = TimeEntryFields::members();
    members.retain(|member| TARGETS.contains(&member.name));
    pick::resolve_or_offer(ports, browser, &mut form, &members, offers).await?;
    let subjects = TARGETS.iter().filter_map(|name| Some((kind_of_reference(name)?, parse_uuid(form.value(name)?)?)));
    match subjects.collect::<Vec<_>>()[..] {
        [subject] => Ok(subject),
        _ => Err(Error::Conflict(text("time-add-one"))),
    }
}

/// The records on which time was logged in the week before.
async fn rows_before(ports: &Ports, browser: &Browser, week: Week) -> Result<Vec<Subject>, Error> {
    let (permit, member) = reader(browser)?;
    let (entries, _) = entries_of(ports, &permit, member, week.previous()).await?;
    Ok(entries.iter().filter_map(target_of).collect())
}

async fn submit(request: PageRequest<Submit>) -> PageResult {
    let PageRequest { ports, permit, form, mut browser, .. } = request;
    let mut shown = week_in(&ports, &permit, &form);
    let saved = save_all(&ports, &permit, &mut browser, &mut shown, &form, false).await?;
    if saved.is_refused() {
        return refuse(&ports, browser, &shown, &form, saved).await;
    }
    let (reader, member) = reader(&browser)?;
    let (entries, _) = entries_of(&ports, &reader, member, shown.week).await?;
    let stopped = entries.iter().filter(|entry| entry.status == EntryStatus::Stopped);
    let ids: Vec<_> = stopped.map(|entry| entry.id).collect();
    let notice = if ids.is_empty() {
        Notice::refusal(text("time-submitted-none"))
    } else {
        let submitted = time_entries::submit(&ports, &permit, None, EntryIds::any_version(ids)).await;
        decided("time-submitted", "time-submit-changed", submitted.and_then(IdempotentResult::made_now))?.0
    };
    let notice = with_deleted(notice, saved.notice());
    Ok(responses::redirect(&browser, &shown.address(), Some(notice)))
}
