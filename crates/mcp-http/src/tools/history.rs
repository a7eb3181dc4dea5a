//! The history of a record of any kind.

use std::borrow::Cow;

use domain::events::EventActor;
use domain::identity::access::ReadHistory;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::schema::TimestampText;
use domain::kernel::input::{Field, Input, InputMode, Problems, SchemaMember, Value, refuse_unknown, take};
use domain::records::{self, HistoryEvent, RecordKind};
use domain::tools::Tool;
use domain::work::issues::{self, TicketReference};
use domain::{Error, EventId};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::arguments::{Key, Paged, take_key};
use crate::changes::bounded;
use crate::outputs::Listing;
use crate::tool::{Entry, ToolRequest, ToolResult, entry};

/// Maximum length of a text in a history, in characters.
const SHOWN_CHARACTERS: usize = 300;
/// Maximum size of an object or array in a history, as JSON.
const SHOWN_JSON_BYTES: usize = 2_000;

/// Selects a record of any kind.
#[derive(Debug)]
struct AnyRecord {
    /// Present unless a problem was reported.
    kind: Option<RecordKind>,
    key: Key,
}

impl Input for AnyRecord {
    fn members() -> Vec<SchemaMember> {
        // Neither required nor nullable.
        let id = SchemaMember::required("id", <Uuid as Value>::schema());
        vec![
            SchemaMember::required("type", <RecordKind as Value>::schema()),
            SchemaMember { is_required: false, ..id },
            SchemaMember::optional("reference", <TicketReference as Value>::schema()),
        ]
    }

    fn read(mut object: Map<String, Json>, _: &str, _: InputMode, problems: &mut Problems) -> Self {
        let kind: Field<RecordKind> = take(&mut object, "type", "", Some(InputMode::Create), problems);
        let key = take_key(&mut object, "send either id or, for a ticket, reference, but not both", problems);
        let is_not_ticket = kind.set().is_some_and(|kind| *kind != RecordKind::Ticket);
        if is_not_ticket && matches!(key, Key::Reference(_)) {
            problems.rule("reference", "tickets_only", "only tickets have a reference: send id instead");
        }
        refuse_unknown(&object, "", &["type", "id", "reference", "limit", "cursor"], problems);
        Self { kind: kind.set().copied(), key }
    }
}

/// A value before or after a change. The id of a member has the name next to it.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct ChangedValue(Json);

impl JsonSchema for ChangedValue {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ChangedValue".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let types = ["string", "number", "boolean", "object", "array", "null"];
        json_schema!({ "type": types, "x-names": "member" })
    }
}

/// A member that changed.
#[derive(Debug, Serialize, JsonSchema)]
struct Change {
    member: String,
    from: ChangedValue,
    to: ChangedValue,
}

/// An event of the history.
#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    id: EventId,
    /// What happened, such as deal.won.
    event: String,
    #[serde(with = "TimestampText")]
    created_at: OffsetDateTime,
    /// Who did it, with the name of that time.
    actor: EventActor,
    /// The tool by which it was done; null if by none.
    tool: Option<String>,
    /// The record's version since; null for comments.
    version: Option<i64>,
    changes: Vec<Change>,
    /// Of an event without changes, and of one about a comment: the record or comment as it was then, without empty members.
    data: Option<Map<String, Json>>,
}

impl Row {
    fn of(HistoryEvent(event): &HistoryEvent) -> Self {
        let value = |change: &Json, member: &str| ChangedValue(change.get(member).cloned().unwrap_or_default());
        let change = |(member, change): (String, Json)| {
            let (from, to) = (value(&change, "from"), value(&change, "to"));
            Change { member, from, to }
        };
        let (changes_by_field, data) = (event.parsed_changes(), event.parsed_data());
        let changes_by_field = match changes_by_field {
            Json::Object(changes) => bounded(changes, shortened),
            _ => Map::new(),
        };
        let changes: Vec<_> = changes_by_field.into_iter().map(change).collect();
        let members = data.as_object().filter(|_| changes.is_empty() || event.version.is_none());
        let data = members.map(|members| {
            let non_empty = members.iter().filter(|(_, value)| !is_empty(value));
            non_empty.map(|(name, value)| (name.clone(), shortened(value))).collect()
        });
        Self {
            id: event.id,
            event: event.event.clone(),
            created_at: event.created_at,
            actor: event.actor.clone(),
            tool: event.tool.clone(),
            version: event.version,
            changes,
            data,
        }
    }
}

fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::Array(items) => items.is_empty(),
        Json::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// A value shortened for a list; the record's own tool shows the current value in full.
fn shortened(value: &Json) -> Json {
    match value {
        Json::String(text) => match text.char_indices().nth(SHOWN_CHARACTERS) {
            None => value.clone(),
            Some((end, _)) => {
                let total = text.chars().count();
                Json::from(format!("{} … [cut after {SHOWN_CHARACTERS} of {total} characters]", &text[..end]))
            }
        },
        Json::Array(_) | Json::Object(_) => {
            let bytes = value.to_string().len();
            let fits = bytes <= SHOWN_JSON_BYTES;
            if fits { value.clone() } else { Json::from(format!("[{bytes} bytes, not shown]")) }
        }
        _ => value.clone(),
    }
}

async fn get(
    call: ToolRequest<ReadHistory, Paged<AnyRecord, HistoryEvent>>,
) -> Result<ToolResult<Listing<Row>>, Error> {
    let Paged { filter, page, .. } = call.arguments;
    let kind = filter.kind.ok_or(Error::NotFound("record"))?;
    let id = match filter.key {
        Key::Id(id) => id,
        Key::Reference(reference) => issues::id_by_reference(&call.ports, &call.permit, reference).await?.0,
    };
    let page = records::read_any_history(&call.ports, &call.permit, (kind, id), page).await?;
    Ok(ToolResult::Fresh(Listing::of(page, Row::of)))
}

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(
            Tool::GetHistory,
            "Get history",
            "Shows who changed one record and how, with its comments, newest first.",
        )
        .run(get),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_values_are_cut_and_short_ones_are_unchanged() {
        let long = "ü".repeat(SHOWN_CHARACTERS + 1);
        let cut = shortened(&json!(long));
        assert!(cut.as_str().unwrap().ends_with("[cut after 300 of 301 characters]"), "{cut}");
        for whole in [json!("ü".repeat(SHOWN_CHARACTERS)), json!(10.5), json!(null), json!({"a": [1]})] {
            assert_eq!(shortened(&whole), whole);
        }
        assert_eq!(shortened(&json!({ "a": "x".repeat(SHOWN_JSON_BYTES) })), json!("[2008 bytes, not shown]"));
    }
}
