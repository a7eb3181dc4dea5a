//! Time entries and timers.

use std::collections::HashMap;

use domain::console::names_of_records;
use domain::identity::access::{CreateTimeEntries, Permit, ReadTimeEntries, UpdateTimeEntries};
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::schema::{DateText, OptionalTimestampText};
use domain::kernel::input::{Field, Input, InputMode, Problems, SchemaMember, Value, take};
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Ports;
use domain::records::{self, RecordKind};
use domain::tools::Tool;
use domain::work::time_entries::{
    self, DurationText, EntryStatus, StartedTimer, TimeAmount, TimeEntry, TimeEntryFields, TimeSummaryKey,
    TimeSummaryQuery, TimeSummaryRow, TimerFields,
};
use domain::{DealId, Error, IssueId, ProjectId, TimeEntryId, UserId};
use schemars::JsonSchema;
use serde::Serialize;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::arguments::New;
use crate::long_texts::{Detail, long_texts};
use crate::outputs::{ListedRow, ToolOutput, leading_rows, row};
use crate::tool::{Entry, ToolRequest, ToolResult, entry, stored_response};

long_texts!(TimeEntry, None);

row! {
    /// A time entry in a list.
    Row of TimeEntry {
        id: TimeEntryId,
        member_id: UserId,
        task_id: Option<IssueId>,
        ticket_id: Option<IssueId>,
        project_id: Option<ProjectId>,
        deal_id: Option<DealId>,
        #[serde(with = "DateText")]
        date: Date,
        #[serde(with = "OptionalTimestampText")]
        started_at: Option<OffsetDateTime>,
        seconds: Option<i32>,
        billable: bool,
        note: String,
        status: EntryStatus,
    }
}

/// Time added up, with the names of the records in the keys.
#[derive(Debug, Serialize, JsonSchema)]
struct NamedSummary {
    rows: Vec<NamedRow>,
    omitted_rows: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct NamedRow {
    key: NamedKey,
    seconds: i64,
    billable_seconds: i64,
    amounts: Vec<TimeAmount>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline, extend("x-keeps-nulls" = true))]
struct NamedKey {
    #[serde(flatten)]
    key: TimeSummaryKey,
    #[serde(skip_serializing_if = "Option::is_none")]
    project_name: Option<RecordName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    company_name: Option<RecordName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_name: Option<RecordName>,
}

/// Null without a record, and for one that is deleted or that the caller may not read.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
struct RecordName(Option<String>);

impl NamedRow {
    fn of(row: TimeSummaryRow, names: &HashMap<(RecordKind, Uuid), String>) -> Self {
        let TimeSummaryRow { key, seconds, billable_seconds, amounts } = row;
        let name = |kind, id: Option<Uuid>| RecordName(id.and_then(|id| names.get(&(kind, id)).cloned()));
        let key = NamedKey {
            project_name: key.project.map(|id| name(RecordKind::Project, id.map(|id| id.0))),
            company_name: key.company.map(|id| name(RecordKind::Company, id.map(|id| id.0))),
            task_name: key.task.map(|id| name(RecordKind::Task, id.map(|id| id.0))),
            key,
        };
        Self { key, seconds, billable_seconds, amounts }
    }
}

impl ToolOutput for NamedSummary {
    fn tighten(&mut self) {
        keep_leading(&mut self.rows, &mut self.omitted_rows);
    }
}

/// Keeps the rows with the most time, as many as fit in a result.
fn keep_leading<R: Serialize>(rows: &mut Vec<R>, omitted_rows: &mut u64) {
    let count = leading_rows(rows);
    *omitted_rows += rows.len().saturating_sub(count) as u64;
    rows.truncate(count);
}

/// A timer that was started.
#[derive(Debug, Serialize, JsonSchema)]
struct Started {
    #[serde(flatten)]
    timer: Detail<TimeEntry>,
    /// The timer that was running until then, if any.
    stopped: Option<Row>,
}

impl Started {
    fn of(started: StartedTimer) -> Self {
        let StartedTimer { entry, stopped } = started;
        Self { timer: Detail::new(entry, None), stopped: stopped.as_ref().map(Row::of) }
    }
}

impl ToolOutput for Started {
    fn tighten(&mut self) {
        self.timer.tighten();
    }
}

const SECONDS: &str = "seconds";
const DURATION: &str = "duration";

/// The fields of an entry. Its length is written as people write it, in place of the seconds.
#[derive(Debug)]
struct LoggedFields(TimeEntryFields);

impl Input for LoggedFields {
    fn members() -> Vec<SchemaMember> {
        let for_tools = |member: SchemaMember| match member.name {
            SECONDS => {
                let text = "1h30, 90m or 1:30; with date.";
                SchemaMember { note: text.to_owned(), ..SchemaMember::optional(DURATION, DurationText::schema()) }
                    .described(text)
            }
            _ => SchemaMember {
                description: member.description.replace(SECONDS, DURATION),
                note: member.note.replace(SECONDS, DURATION),
                ..member
            },
        };
        TimeEntryFields::members().into_iter().map(for_tools).collect()
    }

    fn read(mut object: Map<String, Json>, at: &str, _: InputMode, problems: &mut Problems) -> Self {
        if object.remove(SECONDS).is_some() {
            problems.shape(SECONDS, "unknown_field", "send duration, such as 1h30");
        }
        let duration: Field<DurationText> = take(&mut object, DURATION, at, None, problems);
        match duration {
            Field::Absent => {}
            Field::Null => object.extend([(SECONDS.to_owned(), Json::Null)]),
            Field::Set(duration) if duration.seconds() == 0 => {
                problems.rule(DURATION, "out_of_range", "must be at least one second");
            }
            Field::Set(duration) => object.extend([(SECONDS.to_owned(), duration.seconds().into())]),
        }
        // No member is required, and a change without any was reported before.
        Self(TimeEntryFields::read(object, at, InputMode::Create, problems))
    }
}

/// The error with the name of the argument.
fn of_arguments(error: Error) -> Error {
    match error {
        Error::Invalid(mut problems) => {
            for problem in problems.iter_mut().filter(|problem| problem.field == SECONDS) {
                DURATION.clone_into(&mut problem.field);
            }
            Error::Invalid(problems)
        }
        other => other,
    }
}

async fn log(
    ports: &Ports,
    permit: &Permit<CreateTimeEntries>,
    idempotency: Option<IdempotentRequest<TimeEntry>>,
    LoggedFields(fields): LoggedFields,
) -> Result<IdempotentResult<TimeEntry>, Error> {
    records::create::<TimeEntry>(ports, permit, idempotency, fields).await.map_err(of_arguments)
}

async fn update(
    ports: &Ports,
    permit: &Permit<UpdateTimeEntries>,
    id: TimeEntryId,
    expected: ExpectedVersion,
    LoggedFields(fields): LoggedFields,
) -> Result<TimeEntry, Error> {
    records::update::<TimeEntry>(ports, permit, id, expected, fields).await.map_err(of_arguments)
}

async fn start(mut call: ToolRequest<CreateTimeEntries, New<TimerFields>>) -> Result<ToolResult<Started>, Error> {
    let once = call.idempotent_with(|started: &StartedTimer| stored_response(Started::of(started.clone())));
    let outcome = time_entries::start_and_name_stopped(&call.ports, &call.permit, once, call.arguments.0).await?;
    Ok(ToolResult::of(outcome, Started::of))
}

async fn summarize(call: ToolRequest<ReadTimeEntries, TimeSummaryQuery>) -> Result<ToolResult<NamedSummary>, Error> {
    let mut summary = time_entries::summarize(&call.ports, &call.permit, call.arguments).await?;
    // Only these rows need names.
    keep_leading(&mut summary.rows, &mut summary.omitted_rows);
    let records = summary.rows.iter().flat_map(|row| records_in(&row.key)).collect();
    let names = names_of_records(&call.ports, &call.permit, records).await?;
    let rows = summary.rows.into_iter().map(|row| NamedRow::of(row, &names)).collect();
    Ok(ToolResult::Fresh(NamedSummary { rows, omitted_rows: summary.omitted_rows }))
}

/// The records in a key.
fn records_in(key: &TimeSummaryKey) -> impl Iterator<Item = (RecordKind, Uuid)> {
    let project = key.project.flatten().map(|id| (RecordKind::Project, id.0));
    let company = key.company.flatten().map(|id| (RecordKind::Company, id.0));
    let task = key.task.flatten().map(|id| (RecordKind::Task, id.0));
    [project, company, task].into_iter().flatten()
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(Tool::ListTimeEntries, "List time entries", "Finds time entries, newest first by default.")
            .list(records::list_or_deleted::<TimeEntry>, |entry| ListedRow::of(entry, Row::of)),
        entry(
            Tool::SummarizeTime,
            "Summarize time",
            "Adds up time by one or two groups. For keys, amounts are empty: only people see rates.",
        )
        .run(summarize),
        entry(Tool::LogTime, "Log time", "Records time of a member: date and duration, or started_at and ended_at.")
            .create(log),
        entry(Tool::StartTimer, "Start timer", "Starts a member's timer, and stops the one that runs.").run(start),
        entry(Tool::StopTimer, "Stop timer", "Stops a member's running timer.").create(time_entries::stop),
        entry(
            Tool::UpdateTimeEntry,
            "Update time entry",
            "Changes a time entry that is not approved; null clears a field.",
        )
        .update(update),
        entry(
            Tool::DeleteTimeEntry,
            "Delete time entry",
            "Deletes a time entry. Confirm first; restorable for 30 days.",
        )
        .delete(records::delete::<TimeEntry>),
    ]
}
