//! The caller's timer: above the navigation, which loads it separately, and on a page with fields for task and note.

use actix_web::HttpResponse;
use askama::Template;
use domain::identity::access::{CreateTimeEntries, ReadTimeEntries, UpdateTimeEntries};
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::json::Json;
use domain::kernel::input::{Input, parse_uuid};
use domain::ports::Ports;
use domain::work::time_entries::{self, EntryStatus, TimeEntry, TimerFields, TimerStopFields};
use domain::{Error, TimeEntryId, UserId};
use serde_json::json;

use super::{TARGETS, link_to, shortened, target_of, wanted_names};
use crate::errors::message_of;
use crate::filters;
use crate::form::{Form, FormView, hours_of, id_response, once_as_typed, once_with};
use crate::layout::{Browser, Shell};
use crate::page::{PageRequest, PageResult, PageRoute, page};
use crate::parts::{people, pick};
use crate::records::{Markup, id_of};
use crate::responses::{self, Notice, is_own_path};
use crate::texts::{text, text_with};

page! {
    Show = "GET /time/timer", access: CreateTimeEntries => show;
    Start = "POST /time/start", access: CreateTimeEntries => start;
    Stop = "POST /time/stop", access: UpdateTimeEntries => stop;
}

const PATH: &str = "/time/timer";

struct Timer {
    /// The form that stops the timer sends it, so that it stops no later one.
    id: String,
    seconds: i32,
    shown: String,
    /// The URL and name of the record on which the time is logged.
    about: Option<(String, String)>,
    note: String,
}

/// The timer above the navigation.
#[derive(Template)]
#[template(path = "time/timer_now.html")]
struct TimerPart {
    shell: Shell,
    timer: Option<Timer>,
    is_part: bool,
}

#[derive(Template)]
#[template(path = "time/timer.html")]
struct TimerPage {
    shell: Shell,
    timer: Option<Timer>,
    is_part: bool,
    form: FormView,
}

/// The button on a record's page that starts the timer for the record, or stops the timer that runs for it.
#[derive(Template)]
#[template(path = "time/start.html")]
struct StartButton<'a> {
    shell: Shell,
    member: &'static str,
    id: &'a str,
    next: &'a str,
}

/// The button on the page of a running time entry that stops its timer.
#[derive(Template)]
#[template(path = "time/stop.html")]
struct StopButton<'a> {
    shell: Shell,
    id: &'a str,
    next: &'a str,
}

/// The button that starts or stops the timer for the record at this path. `member` is the member of a time entry that
/// refers to the record. `None` if the caller may not start timers.
pub(crate) fn start_button(
    browser: &Browser,
    member: &'static str,
    id: &str,
    path: &str,
) -> Result<Option<Markup>, Error> {
    if !browser.may::<CreateTimeEntries>() {
        return Ok(None);
    }
    Markup::of(&StartButton { shell: browser.shell(""), member, id, next: path }).map(Some)
}

/// The button that stops the timer of a time entry at this path. `None` if it is not a running timer of the caller.
pub(super) fn stop_button(browser: &Browser, entry: &Json, path: &str) -> Result<Option<Markup>, Error> {
    let is_running = entry["status"].as_str() == Some(EntryStatus::Running.as_str());
    let is_own = browser.user().is_some_and(|user| id_of(&entry["member_id"]).map(UserId) == Some(user));
    let may_stop = is_running && is_own && browser.may::<UpdateTimeEntries>();
    let Some(id) = entry["id"].as_str().filter(|_| may_stop) else { return Ok(None) };
    Markup::of(&StopButton { shell: browser.shell(""), id, next: &format!("{path}/{id}") }).map(Some)
}

/// The caller's running timer. Two statements at most.
async fn running(ports: &Ports, browser: &Browser) -> Result<Option<Timer>, Error> {
    let Some((permit, member)) = browser.permit::<ReadTimeEntries>().zip(browser.user()) else { return Ok(None) };
    let Some(entry) = time_entries::running(ports, &permit, member).await? else { return Ok(None) };
    let names = people::names(ports, browser, wanted_names([&entry])).await?;
    let since = entry.started_at.map_or(0, |start| (ports.clock.now() - start).whole_seconds());
    let seconds = i32::try_from(since.max(0)).unwrap_or(i32::MAX);
    let about = target_of(&entry).map(|target| link_to(target, &names));
    Ok(Some(Timer { id: entry.id.to_string(), seconds, shown: hours_of(seconds), about, note: shortened(&entry.note) }))
}

fn blank() -> FormView {
    let fields = [TARGETS[0], TARGETS[1], TARGETS[2], TARGETS[3], "note", "billable"];
    let mut form = FormView::new::<TimerFields>().only(&fields).without_help();
    // Ticked by default, as in the form of an entry.
    if let Some(field) = form.field_mut("billable") {
        "true".clone_into(&mut field.value);
    }
    form
}

async fn timer_page(ports: &Ports, browser: &Browser, form: FormView) -> Result<TimerPage, Error> {
    let timer = running(ports, browser).await?;
    Ok(TimerPage { shell: browser.shell(text("timer-title")), timer, is_part: false, form })
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let PageRequest { ports, browser, .. } = request;
    if browser.is_htmx {
        let timer = running(&ports, &browser).await?;
        return responses::page(&browser, TimerPart { shell: browser.shell(""), timer, is_part: true });
    }
    responses::page(&browser, timer_page(&ports, &browser, blank()).await?)
}

/// Redirects to the timer above the navigation, or to a page.
fn redirect_back(browser: &Browser, form: &Form, notice: Notice) -> HttpResponse {
    if browser.is_htmx {
        return responses::redirect_from(&browser.base(), PATH, false).finish();
    }
    let back = form.value("_next").filter(|next| is_own_path(next)).unwrap_or(PATH);
    responses::redirect(browser, back, Some(notice))
}

/// Whether the timer already runs for the record from whose page the form was sent. Without scripts, such a page has no
/// button that stops the timer.
async fn runs_already(ports: &Ports, browser: &Browser, form: &Form) -> Result<bool, Error> {
    let Some(record) = form.value("_next").filter(|next| *next != PATH) else { return Ok(false) };
    let about = running(ports, browser).await?.and_then(|timer| timer.about);
    Ok(about.is_some_and(|(path, _)| path == record))
}

async fn start(request: PageRequest<Start>) -> PageResult {
    let PageRequest { ports, permit, mut form, browser, .. } = request;
    if runs_already(&ports, &browser, &form).await? {
        return Ok(redirect_back(&browser, &form, Notice::refusal(text("timer-runs-already"))));
    }
    let (typed, mut offers) = (form.clone(), pick::Offers::new());
    let members = TimerFields::members();
    let started = match pick::resolve_or_offer(&ports, &browser, &mut form, &members, &mut offers).await {
        Ok(()) => match form.read_new(&browser) {
            Ok(fields) => time_entries::start(&ports, &permit, once_as_typed(&typed, Start::ROUTE), fields).await,
            Err(error) => Err(error),
        },
        Err(error) => Err(error),
    };
    match started {
        Ok(started) => {
            let key = if started.fresh().is_some() { "timer-started" } else { "timer-started-before" };
            Ok(redirect_back(&browser, &typed, Notice::new(text(key))))
        }
        // The timer above the navigation has no fields.
        Err(error) if browser.is_htmx => Err(error.into()),
        Err(error) => {
            let view = blank().with_input(&typed);
            let names = people::names(&ports, &browser, view.wanted_names()).await?;
            let view = view.with_names(&names).with_offers(offers).with_error(error)?;
            responses::unprocessable(&browser, timer_page(&ports, &browser, view).await?)
        }
    }
}

fn length_of(entry: &TimeEntry) -> String {
    hours_of(entry.seconds.unwrap_or_default())
}

async fn stop(request: PageRequest<Stop>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let once = once_with(&form, Stop::ROUTE, |entry: &TimeEntry| id_response(&json!(length_of(entry))));
    let shown = form.value("_timer").and_then(parse_uuid).map(TimeEntryId);
    let fields = TimerStopFields::default();
    let notice = match time_entries::stop_expected(&ports, &permit, once, fields, shown).await {
        Ok(stopped) => {
            let time = match stopped {
                IdempotentResult::Fresh(entry) => length_of(&entry),
                IdempotentResult::Replayed(response) => response.body,
            };
            Notice::new(text_with("timer-stopped", [("time", time.into())]))
        }
        Err(Error::InvalidStateChange(_)) => Notice::refusal(text("timer-not-running")),
        Err(Error::Conflict(_)) => Notice::refusal(text("timer-other-running")),
        Err(error @ Error::IdempotencyConflict(_)) => Notice::refusal(message_of(&error)),
        Err(error) => return Err(error.into()),
    };
    Ok(redirect_back(&browser, &form, notice))
}
