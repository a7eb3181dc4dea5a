//! Time entries and timers.

use domain::identity::access::{CreateTimeEntries, Permit, ReadTimeEntries, UpdateTimeEntries};
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::schema::{DateText, OptionalTimestampText};
use domain::kernel::input::{Field, Input, InputMode, Problems, SchemaMember, Value, take};
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Ports;
use domain::records;
use domain::tools::Tool;
use domain::work::time_entries::{
    self, DurationText, EntryStatus, TimeEntry, TimeEntryFields, TimeSummary, TimeSummaryQuery,
};
use domain::{DealId, Error, IssueId, ProjectId, TimeEntryId, UserId};
use time::{Date, OffsetDateTime};

use crate::long_texts::long_texts;
use crate::outputs::{ListedRow, ToolOutput, leading_rows, row};
use crate::tool::{Entry, ToolRequest, ToolResult, entry};

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

impl ToolOutput for TimeSummary {
    /// Keeps the rows with the most time.
    fn tighten(&mut self) {
        let count = leading_rows(&self.rows);
        self.omitted_rows += self.rows.len().saturating_sub(count) as u64;
        self.rows.truncate(count);
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
            _ => member,
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
            Field::Set(duration) => object.extend([(SECONDS.to_owned(), duration.seconds().into())]),
        }
        // No member is required, and a change without any was reported before.
        Self(TimeEntryFields::read(object, at, InputMode::Create, problems))
    }
}

async fn log(
    ports: &Ports,
    permit: &Permit<CreateTimeEntries>,
    idempotency: Option<IdempotentRequest<TimeEntry>>,
    LoggedFields(fields): LoggedFields,
) -> Result<IdempotentResult<TimeEntry>, Error> {
    records::create::<TimeEntry>(ports, permit, idempotency, fields).await
}

async fn update(
    ports: &Ports,
    permit: &Permit<UpdateTimeEntries>,
    id: TimeEntryId,
    expected: ExpectedVersion,
    LoggedFields(fields): LoggedFields,
) -> Result<TimeEntry, Error> {
    records::update::<TimeEntry>(ports, permit, id, expected, fields).await
}

async fn summarize(call: ToolRequest<ReadTimeEntries, TimeSummaryQuery>) -> Result<ToolResult<TimeSummary>, Error> {
    Ok(ToolResult::Fresh(time_entries::summarize(&call.ports, &call.permit, call.arguments).await?))
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(Tool::ListTimeEntries, "List time entries", "Finds time entries, newest first by default.")
            .list(records::list_or_deleted::<TimeEntry>, |entry| ListedRow::of(entry, Row::of)),
        entry(
            Tool::SummarizeTime,
            "Summarize time",
            "Adds up time by one or two groups, with billable amounts by currency.",
        )
        .run(summarize),
        entry(Tool::LogTime, "Log time", "Records time of a member: date and duration, or started_at and ended_at.")
            .create(log),
        entry(Tool::StartTimer, "Start timer", "Starts a member's timer, and stops the one that runs.")
            .create(time_entries::start),
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
