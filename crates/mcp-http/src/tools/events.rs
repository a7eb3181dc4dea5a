//! The event log, as compact rows.

use domain::events::{
    self, Cascade, EventActor, EventCause, EventFilter, EventRecordView, EventView, FollowRequest, LogPlace,
    LoggedEvent, Module,
};
use domain::identity::access::FollowEvents;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::schema::TimestampText;
use domain::kernel::input::{Input, InputMode, Line, Problems, SchemaMember};
use domain::tools::Tool;
use domain::work::comments::Visibility;
use domain::{Error, EventId};
use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;

use crate::arguments::{DEFAULT_LIMIT, PageFields};
use crate::changes::bounded;
use crate::outputs::{ToolOutput, leading_rows};
use crate::tool::{Entry, ToolRequest, ToolResult, entry};

/// Longest shown value of a member, as JSON, in bytes; a text is cut to as many characters.
const MAX_VALUE: usize = 400;
/// Longest shown report of another system, as JSON, in bytes.
const MAX_REPORT: usize = 4_000;

/// A filter, and the part of the log to read.
#[derive(Debug)]
struct Arguments {
    filter: EventFilter,
    request: FollowRequest,
}

impl Input for Arguments {
    fn members() -> Vec<SchemaMember> {
        EventFilter::members().into_iter().chain(PageFields::members()).collect()
    }

    fn read(mut object: Map<String, Json>, at: &str, _: InputMode, problems: &mut Problems) -> Self {
        let paging = PageFields::NAMES.iter().filter_map(|name| object.remove_entry(*name)).collect();
        let fields = PageFields::read(paging, at, InputMode::Create, problems);
        let filter = EventFilter::read(object, at, InputMode::Create, problems);
        let limit = fields.limit.set().map_or(DEFAULT_LIMIT, |limit| limit.get().unsigned_abs()).to_string();
        let request = FollowRequest::parse(Some(&limit), fields.cursor.set().map(Line::as_str), problems);
        Self { filter, request }
    }
}

/// An event in the list.
#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    id: EventId,
    module: Module,
    /// Its name, such as deal.won.
    event: String,
    #[serde(with = "TimestampText")]
    created_at: OffsetDateTime,
    /// What it is about; read it with its own tool. Null for what another system reported.
    record: Option<EventRecordView>,
    actor: EventActor,
    /// The tool that was called, if one was.
    tool: Option<String>,
    /// The record's version since.
    version: Option<i64>,
    /// Of a comment: whether the customer sees it. Null for others, and for comments on contacts, companies and deals.
    visibility: Option<Visibility>,
    /// What a project took along when it was deleted or restored.
    #[serde(skip_serializing_if = "Option::is_none")]
    cascade: Option<Cascade>,
    /// With which event of its project a task or a cycle was deleted or restored.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<EventCause>,
    /// Each member that changed, with from and to; long values are cut.
    changes: Json,
    /// What another system reported; null for events about records.
    reported: Json,
}

impl From<EventView> for Row {
    fn from(view: EventView) -> Self {
        let changes = match view.parsed_changes() {
            Json::Object(changes) => bounded(changes, |value| cut(value, MAX_VALUE)).into(),
            other => other,
        };
        let reported = if view.record.is_none() { view.parsed_data() } else { Json::Null };
        let reported = cut(&reported, MAX_REPORT);
        let visibility = visibility_of(&view);
        let EventView { id, module, event, created_at, record, actor, tool, version, cascade, cause, .. } = view;
        Self {
            id,
            module,
            event,
            created_at,
            record,
            actor,
            tool,
            version,
            visibility,
            cascade,
            cause,
            changes,
            reported,
        }
    }
}

/// The visibility of the comment that an event is about; `None` if it was erased.
fn visibility_of(event: &EventView) -> Option<Visibility> {
    let is_about_comment = event.record.is_some() && event.event.contains(".comment_");
    let data = is_about_comment.then(|| event.parsed_data())?;
    data["visibility"].as_str().and_then(Visibility::parse)
}

/// Cuts a string that is too long; omits any other value of that size.
fn cut(value: &Json, max_bytes: usize) -> Json {
    let bytes = value.to_string().len();
    if bytes <= max_bytes {
        return value.clone();
    }
    match value {
        Json::String(text) => format!("{} … [cut]", text.chars().take(max_bytes / 4).collect::<String>()).into(),
        _ => format!("[{bytes} bytes of JSON: left out]").into(),
    }
}

/// A part of the log.
#[derive(Debug, Serialize, JsonSchema)]
struct Listing {
    data: Vec<Row>,
    pagination: Pagination,
    /// The position after each row.
    #[serde(skip)]
    #[schemars(skip)]
    positions: Vec<LogPlace>,
}

/// Whether there is more, and how to get it.
#[derive(Debug, Serialize, JsonSchema)]
struct Pagination {
    /// The requested maximum number of events.
    limit: u32,
    #[serde(rename = "hasMore")]
    has_more: bool,
    /// Pass it as cursor to continue, now or later; always there.
    #[serde(rename = "nextCursor")]
    next_cursor: String,
}

impl Listing {
    fn end_after(&mut self, rows: usize) {
        if let Some(last) = self.positions.get(rows.wrapping_sub(1)).filter(|_| rows < self.data.len()) {
            self.pagination = Pagination { has_more: true, next_cursor: last.cursor(), ..self.pagination };
            self.data.truncate(rows);
            self.positions.truncate(rows);
        }
    }
}

impl ToolOutput for Listing {
    fn shorten(&mut self, bytes: usize) -> bool {
        let rows = self.data.len();
        // One row stays, because an empty page could not be continued.
        self.end_after((rows * crate::outputs::MAX_OUTPUT_BYTES / bytes.max(1)).min(rows.saturating_sub(1)).max(1));
        self.data.len() < rows
    }
}

async fn list(call: ToolRequest<FollowEvents, Arguments>) -> Result<ToolResult<Listing>, Error> {
    let Arguments { filter, request } = call.arguments;
    let page = events::list(&call.ports, &call.permit, filter, request).await?;
    let pagination = Pagination { limit: page.limit, has_more: page.has_more, next_cursor: page.next.cursor() };
    let positions = page.items.iter().map(LoggedEvent::place).collect();
    let data: Vec<Row> = page.items.into_iter().map(|event| event.view().into()).collect();
    let fitting = leading_rows(&data);
    let mut listing = Listing { data, pagination, positions };
    listing.end_after(fitting);
    Ok(ToolResult::Fresh(listing))
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(Tool::ListEvents, "List events", "Lists events, oldest first. Pass nextCursor later for newer ones.")
            .run(list),
    ]
}
