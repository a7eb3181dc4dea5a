//! The history of a record: who did what (a person, an API key or an AI agent), and the values before and after.

use domain::console::{Names, WantedNames};
use domain::events::EventView;
use domain::kernel::input::json::Json;
use domain::records::HistoryEvent;
use jiff::tz::TimeZone;
use time::OffsetDateTime;

use crate::form::kind_of_reference;
use crate::layout::time_in_words;
use crate::records::{Cell, actor, id_of, money, time_of};
use crate::texts;

/// A change of one member.
pub(crate) struct Change {
    pub(crate) label: String,
    pub(crate) from: String,
    pub(crate) to: String,
    /// Whether both values are short enough for one line.
    pub(crate) is_short: bool,
}

/// An event as it is shown.
pub(crate) struct Entry {
    pub(crate) actor: Cell,
    /// What was done, such as `won the deal`.
    pub(crate) what: String,
    pub(crate) tool: Option<String>,
    pub(crate) at: OffsetDateTime,
    pub(crate) changes: Vec<Change>,
    /// The text of a comment.
    pub(crate) comment: Option<String>,
}

/// Members of events that are not shown.
const HIDDEN: [&str; 3] = ["version", "updated_at", "created_at"];
/// Prefix of custom fields, each of which is shown as a separate change.
const CUSTOM_FIELD: &str = "custom_fields.";
/// The maximum number of custom fields shown per event. A record may have thousands.
const MAX_CUSTOM_FIELDS: usize = 50;
/// Members whose values have labels.
const CHOICES: [&str; 6] = ["status", "stage", "contact_type", "priority", "visibility", "kind"];
/// Values longer than this, in characters, are shown on separate lines.
const MAX_LINE_LENGTH: usize = 80;

/// The maximum characters of a value that are shown. A page has many values, and a description may be 50,000 long.
const MAX_VALUE_LENGTH: usize = 2_000;

fn shortened(text: &str) -> String {
    texts::shortened(text, MAX_VALUE_LENGTH)
}

/// Collects the members and records whose names the changes show.
pub(crate) fn note_names(events: &[HistoryEvent], wanted: &mut WantedNames) {
    for event in events {
        for (name, change) in event.0.parsed_changes().as_object().into_iter().flatten() {
            if name.starts_with(CUSTOM_FIELD) {
                continue;
            }
            for value in [&change["from"], &change["to"]] {
                note_name(name, value, wanted);
            }
        }
    }
}

/// Collects the member or record whose name a value shows.
pub(crate) fn note_name(member: &str, value: &Json, wanted: &mut WantedNames) {
    let Some(id) = id_of(value) else { return };
    match kind_of_reference(member) {
        Some(kind) => wanted.records.push((kind, id)),
        None => wanted.people.push(id),
    }
}

/// The value of a member in words, for a reader in this time zone.
pub(crate) fn in_words(member: &str, value: &Json, names: &Names, zone: &TimeZone) -> String {
    shortened(&ValueFormatter { names, zone, currency: "" }.value(member, value))
}

/// The size of the events in bytes. Each contains its record, before and after.
pub(crate) fn size_of(events: &[HistoryEvent]) -> usize {
    events.iter().map(|HistoryEvent(event)| event.changes.get().len() + event.data.get().len()).sum()
}

/// The entries for events, for a reader in this time zone.
pub(crate) fn entries(events: Vec<HistoryEvent>, names: &Names, zone: &TimeZone) -> Vec<Entry> {
    events.into_iter().map(|event| entry(&event.0, names, zone)).collect()
}

fn entry(event: &EventView, names: &Names, zone: &TimeZone) -> Entry {
    let verb = event.event.split_once('.').map_or(&*event.event, |(_, verb)| verb);
    let changes = event.parsed_changes();
    let visible = changes.as_object().into_iter().flatten().filter(|(name, _)| !HIDDEN.contains(&name.as_str()));
    let is_comment = verb.starts_with("comment");
    let data = event.parsed_data();
    let formatter = ValueFormatter { names, zone, currency: data["currency"].as_str().unwrap_or_default() };
    let (own, others): (Vec<_>, Vec<_>) =
        visible.filter(|_| !is_comment).partition(|(name, _)| name.starts_with(CUSTOM_FIELD));
    let left_out = own.len().saturating_sub(MAX_CUSTOM_FIELDS);
    let shown = others.into_iter().chain(own.into_iter().take(MAX_CUSTOM_FIELDS));
    let changes =
        shown.map(|(name, change)| formatter.change_of(name, change)).chain(omitted_changes(left_out)).collect();
    Entry {
        actor: actor(event.actor.name.clone(), &event.actor.kind, event.tool.as_deref()),
        what: texts::label("event", verb),
        tool: event.tool.clone(),
        at: event.created_at,
        changes,
        comment: data["body"].as_str().filter(|_| is_comment).map(shortened),
    }
}

/// A line with the number of custom field changes that are not shown.
fn omitted_changes(count: usize) -> Option<Change> {
    let to = texts::text_with("history-more-changed", [("count", count.into())]);
    let label = texts::label("member", "custom_fields");
    (count > 0).then(|| Change { label, from: "…".to_owned(), to, is_short: true })
}

/// What is needed to show values in words.
struct ValueFormatter<'a> {
    names: &'a Names,
    zone: &'a TimeZone,
    /// The currency of the record's amount.
    currency: &'a str,
}

impl ValueFormatter<'_> {
    fn change_of(&self, name: &str, change: &Json) -> Change {
        let own = name.strip_prefix(CUSTOM_FIELD);
        let [from, to] = [&change["from"], &change["to"]].map(|value| shortened(&self.value(name, value)));
        let is_short = from.chars().count() <= MAX_LINE_LENGTH && to.chars().count() <= MAX_LINE_LENGTH;
        let label = own.map_or_else(|| texts::label("member", name), shortened);
        Change { label, from, to, is_short }
    }

    fn value(&self, name: &str, value: &Json) -> String {
        if let Some(id) = id_of(value).filter(|_| !name.starts_with(CUSTOM_FIELD)) {
            let record = kind_of_reference(name).and_then(|kind| self.names.records.get(&(kind, id)));
            let known = record.or_else(|| self.names.people.get(&id));
            return known.cloned().unwrap_or_else(|| texts::text("record-gone"));
        }
        match value {
            Json::Null => texts::text("nothing"),
            Json::Bool(true) => texts::text("yes"),
            Json::Bool(false) => texts::text("no"),
            Json::String(text) if text.is_empty() => texts::text("nothing"),
            Json::String(text) if name.starts_with(CUSTOM_FIELD) => text.clone(),
            Json::String(text) if name.ends_with("_date") => crate::records::day(text),
            Json::String(text) if name.ends_with("_at") => {
                time_of(value).map_or_else(|| text.clone(), |time| time_in_words(time, self.zone))
            }
            Json::String(text) if CHOICES.contains(&name) => texts::label("value", text),
            Json::String(text) => text.clone(),
            Json::Array(items) if items.is_empty() => texts::text("nothing"),
            Json::Array(items) => {
                let plain = |item: &Json| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
                items.iter().map(plain).collect::<Vec<_>>().join(", ")
            }
            Json::Number(amount) if name == "value" && !self.currency.is_empty() => {
                money(&amount.to_string(), self.currency)
            }
            other => other.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn custom_fields_are_shown_by_name() {
        let names = Names::default();
        let formatter = ValueFormatter { names: &names, zone: &TimeZone::UTC, currency: "" };
        let change = serde_json::json!({"from": null, "to": "01890a5d-ac96-774b-bcce-b302099a8057"});
        let shown = formatter.change_of("custom_fields.start_date", &change);
        assert_eq!((&*shown.label, &*shown.to), ("start_date", "01890a5d-ac96-774b-bcce-b302099a8057"));
        let change = serde_json::json!({"from": "2030-01-31T00:00:00Z", "to": {"a": 1}});
        let shown = formatter.change_of("custom_fields.seen_at", &change);
        assert_eq!((&*shown.from, &*shown.to), ("2030-01-31T00:00:00Z", r#"{"a":1}"#));
        assert!(omitted_changes(0).is_none() && omitted_changes(7).is_some_and(|more| more.to.contains('7')));
    }
}
