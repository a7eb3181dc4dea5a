//! Time entries as records: their list, form and page.

use domain::kernel::input::json::{Json, Map};
use domain::records::RecordKind;
use domain::transfer::ExportedList;
use domain::work::time_entries::TimeEntry;

use super::shortened;
use crate::form::{FieldKind, duration_of};
use crate::layout::Browser;
use crate::records::{Action, ColumnOrder, Kind, KindView, Records, Routes, day, routes};
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
        searched: &["project_id", "company_id", "task_id"],
        bulk: &["billable", "project_id", "task_id", "date"],
        ..KindView::of("clock", &["date", "seconds", "member_id", "task_id", "project_id", "status", "billable"])
    };
    const START: &'static str = "/time";
    const READ_ONLY: &'static [(&'static str, FieldKind)] = &[
        ("status", FieldKind::Choice),
        ("in_project_id", FieldKind::Record(RecordKind::Project)),
        ("for_company_id", FieldKind::Record(RecordKind::Company)),
        ("rate", FieldKind::Number { has_decimals: true }),
        ("rate_currency", FieldKind::Currency),
    ];

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
