//! Time entries as records: their list, form and page.

use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Problem, parse_date};
use domain::kernel::time_zone::day_in;
use domain::ports::Ports;
use domain::records::RecordKind;
use domain::transfer::ExportedList;
use domain::work::time_entries::{self, EntryStatus, TimeEntry};
use domain::{Error, UserId};

use super::shortened;
use super::timer::stop_button;
use crate::form::{FieldKind, Form, FormView, WAS, bound_of, duration_of, fingerprint, normalized};
use crate::layout::Browser;
use crate::records::{Action, ColumnOrder, Kind, KindView, Parts, Records, Routes, day, id_of, routes, time_of};
use crate::texts::{text, text_with};

/// Time entries as pages.
pub(crate) type TimeEntries = Records<TimeEntry>;

impl Kind for TimeEntries {
    type PageData = ();

    const ROUTES: Routes = routes!("time_entries", "entry_id");
    const EXPORTED: fn(Self::Filter) -> ExportedList = ExportedList::TimeEntries;
    const VIEW: KindView = KindView {
        title: "note",
        title_of,
        orders: &[ColumnOrder::descending("date", "date_asc", "date_desc"), ColumnOrder::CREATED, ColumnOrder::CHANGED],
        usual: &["task_id", "project_id", "date", "seconds", "note", "billable"],
        responsible: Some("member_id"),
        money: Some(("rate", "rate_currency")),
        searched: &["project_id", "company_id", "task_id"],
        bulk: &["billable", "project_id", "task_id", "date"],
        ..KindView::of("clock", &["date", "seconds", "member_id", "task_id", "in_project_id", "status", "billable"])
    };
    const START: &'static str = "/time";
    const READ_ONLY: &'static [(&'static str, FieldKind)] = &[
        ("status", FieldKind::Choice),
        ("in_project_id", FieldKind::Record(RecordKind::Project)),
        ("for_company_id", FieldKind::Record(RecordKind::Company)),
        ("rate", FieldKind::Number { has_decimals: true }),
        ("rate_currency", FieldKind::Currency),
    ];

    /// The button that stops the caller's timer.
    async fn parts(_: &Ports, browser: &Browser, entry: &Json, (): ()) -> Result<Parts, Error> {
        let actions = stop_button(browser, entry, Self::ROUTES.path)?.into_iter().collect();
        Ok(Parts { actions, ..Parts::default() })
    }

    fn adapt_form(form: FormView) -> FormView {
        let form = form.with_help("task_id", "time-task-hint").with_help("project_id", "time-project-hint");
        form.with_help("ticket_id", "time-ticket-hint").with_help("deal_id", "time-deal-hint")
    }

    /// Others than owners and admins write their own time only.
    fn withheld(browser: &Browser) -> &'static [&'static str] {
        if browser.administers() { &[] } else { &["member_id"] }
    }

    /// The day is today until another one is chosen.
    fn prefill(browser: &Browser, form: &mut FormView) {
        let (Some(zone), Some(field)) = (zone_of_workspace(browser), form.field_mut("date")) else { return };
        let today = day_in(zone, browser.ports.clock.now()).to_string();
        field.was = Some(fingerprint(&today));
        field.set(&[today]);
    }

    /// The day follows from the start. A form with a start may have the same day, or the day that it began with.
    fn adapt_input(browser: &Browser, form: &mut Form) {
        let is_filled = |name: &str| form.value(name).is_some_and(|time| !time.trim().is_empty());
        if !is_filled("started_at") && !is_filled("ended_at") {
            return;
        }
        let date = form.value("date").map(normalized).unwrap_or_default();
        let is_untouched = form.value(&format!("{WAS}date")).is_some_and(|was| was == fingerprint(&date));
        if is_untouched || day_of_start(browser, form).is_some_and(|day| day == date) {
            form.remove("date");
        }
    }

    fn explain(error: Error) -> Error {
        match error {
            Error::Invalid(problems) => Error::Invalid(problems.into_iter().map(in_words_of_the_form).collect()),
            // The form stays as it was typed, with the reason above it.
            Error::Forbidden(message) => Error::Conflict(message),
            other => other,
        }
    }

    fn may_change(browser: &Browser, record: &Json) -> bool {
        let word = |name: &str| record[name].as_str();
        let (Some(caller), Some(member)) = (&browser.caller, id_of(&record["member_id"])) else { return false };
        let state = word("status").and_then(EntryStatus::parse).zip(word("date").and_then(parse_date));
        state.is_some_and(|(status, date)| {
            time_entries::may_change(Some(caller.credential()), caller.workspace(), UserId(member), status, date)
        })
    }

    fn presets(browser: &Browser) -> Vec<(&'static str, String)> {
        browser.user().map(|user| ("list-mine", format!("member={user}"))).into_iter().collect()
    }

    fn actions(_: &Browser, record: Option<&Json>) -> Vec<Action> {
        if record.is_some() {
            return Vec::new();
        }
        let (label, href) = (text("time-report"), "/time/report".to_owned());
        vec![Action { label, icon: "chart-bar", href, values: Vec::new() }]
    }

    /// Day and duration follow from start and end.
    fn without_derived(mut patch: Map<String, Json>) -> Map<String, Json> {
        if ["started_at", "ended_at"].iter().any(|name| patch.get(*name).is_some_and(|time| !time.is_null())) {
            patch.retain(|name, _| !matches!(name.as_str(), "date" | "seconds"));
        }
        patch
    }
}

/// The time zone in which the workspace counts days.
fn zone_of_workspace(browser: &Browser) -> Option<&str> {
    browser.caller.as_ref().map(|caller| caller.workspace().time_zone.as_str())
}

/// The day on which the time in a form counts by its start.
fn day_of_start(browser: &Browser, form: &Form) -> Option<String> {
    let zone = form.zone_of("started_at", &browser.preferences.zone)?;
    let start = bound_of(form.value("started_at")?.trim(), &zone)?;
    Some(day_in(zone_of_workspace(browser)?, time_of(&Json::from(start))?).to_string())
}

/// A problem with the names that the form has for members.
fn in_words_of_the_form(problem: Problem) -> Problem {
    let key = match (&*problem.field, problem.code) {
        (_, "several_targets") => "time-one-target",
        (_, "contradicts_times") => "time-follows",
        ("started_at" | "ended_at", "required") => "time-start-and-end",
        ("date" | "seconds", "required") => "time-date-and-duration",
        ("ended_at", "before_start") => "time-ends-before-start",
        ("ended_at", "too_long") => "time-too-long",
        _ => return problem,
    };
    Problem { message: text(key), ..problem }
}

/// The note, or without one the day and the duration.
fn title_of(record: &Json) -> String {
    let note = shortened(record["note"].as_str().unwrap_or_default());
    if !note.is_empty() {
        return note;
    }
    let date = day(record["date"].as_str().unwrap_or_default());
    let seconds = record["seconds"].as_i64().and_then(|seconds| i32::try_from(seconds).ok());
    let time = seconds.map_or_else(|| text("timer-running"), duration_of);
    text_with("time-label", [("name", time.into()), ("day", date.into())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_told_without_the_names_of_the_api() {
        for (field, code) in [
            ("project_id", "several_targets"),
            ("date", "contradicts_times"),
            ("seconds", "contradicts_times"),
            ("started_at", "required"),
            ("ended_at", "required"),
            ("date", "required"),
            ("seconds", "required"),
            ("ended_at", "before_start"),
            ("ended_at", "too_long"),
        ] {
            let error = TimeEntries::explain(Error::invalid(field, code, "set started_at to null"));
            let problem = error.details().remove(0);
            assert_eq!((&*problem.field, problem.code), (field, code));
            assert!(!problem.message.contains('_') && problem.message.contains(' '), "{}", problem.message);
        }
        let other = TimeEntries::explain(Error::invalid("task_id", "not_found", "kept"));
        assert_eq!(other.details()[0].message, "kept");
        let refused = TimeEntries::explain(Error::Forbidden("only owners".to_owned()));
        assert!(matches!(refused, Error::Conflict(message) if message == "only owners"));
    }
}
