//! Values of records as readers see them, in tables and next to labels.

use domain::console::{Names, WantedNames};
use domain::kernel::input::Input;
use domain::kernel::input::json::Json;
use domain::records::RecordKind;
use jiff::Timestamp;
use jiff::civil::Date;
use time::OffsetDateTime;
use uuid::Uuid;

use super::money::money;
use super::{ColumnOrder, Kind, KindView};
use crate::form::{FieldKind, duration_of};
use crate::texts;

/// A value as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cell {
    Empty,
    Text(String),
    /// A text of several lines, without formatting.
    Plain(String),
    /// Markdown.
    Long(String),
    /// Markdown with pictures.
    Illustrated(String),
    /// A page of the console.
    Link {
        href: String,
        text: String,
    },
    /// A URL of another site.
    ExternalLink {
        href: String,
        text: String,
    },
    Badge {
        label: String,
        tone: &'static str,
    },
    Time(OffsetDateTime),
    /// When something that is still open is due.
    Due(OffsetDateTime),
    /// The day on which something that is still open is due, such as `2026-11-22`.
    DueDay(String),
    Number(String),
    /// No number, in a column of numbers.
    NoNumber,
    Tags(Vec<String>),
    /// Who did something. `kind` is the kind of actor, in words, unless it is a person.
    Actor {
        name: String,
        icon: &'static str,
        kind: String,
    },
    Person {
        name: String,
        icon: &'static str,
    },
    Pairs(Vec<(String, String)>),
}

impl Cell {
    pub(crate) const fn is_number(&self) -> bool {
        matches!(self, Self::Number(_) | Self::NoNumber)
    }

    pub(crate) const fn is_empty(&self) -> bool {
        matches!(self, Self::Empty | Self::NoNumber)
    }
}

/// The content of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    Member(FieldKind),
    /// A member that no form of the kind has.
    ReadOnly(FieldKind),
    /// When something happened to the record.
    Time,
    Author,
}

/// A column of a list, or a line of a record's page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) label: String,
    content: Content,
    /// The orders that sort the list by this column.
    pub(crate) order: Option<&'static ColumnOrder>,
    pub(crate) is_shown: bool,
}

impl Column {
    pub(crate) fn is_number(&self) -> bool {
        let (Content::Member(kind) | Content::ReadOnly(kind)) = &self.content else { return false };
        matches!(kind, FieldKind::Number { .. } | FieldKind::Duration)
    }

    /// Whether it shows a member of the record.
    pub(crate) fn is_member(&self) -> bool {
        matches!(self.content, Content::Member(_) | Content::ReadOnly(_))
    }

    /// Whether a form can change it.
    pub(crate) fn is_writable(&self) -> bool {
        matches!(self.content, Content::Member(_))
    }

    pub(crate) fn is_long(&self) -> bool {
        matches!(self.content, Content::Member(FieldKind::LongText { .. } | FieldKind::Object))
    }
}

/// Makes the cells for the records of a kind.
pub(crate) struct CellMaker {
    shown: &'static KindView,
    /// All columns except the title.
    pub(crate) columns: Vec<Column>,
    /// The title's column, if the title is a member.
    pub(crate) title: Option<Column>,
}

impl CellMaker {
    /// Shows the chosen columns, or the default ones if none are chosen.
    pub(crate) fn new<K: Kind>(chosen: &[String]) -> Self {
        let shown = const { &K::VIEW };
        let members = K::Fields::members();
        let members = members.iter().filter(|member| !shown.hidden.contains(&member.name));
        let members = members.map(|member| (member.name, Content::Member(FieldKind::of(member))));
        let read_only = K::READ_ONLY.iter().map(|(name, kind)| (*name, Content::ReadOnly(kind.clone())));
        let others = [("created_at", Content::Time), ("updated_at", Content::Time), ("created_by", Content::Author)];
        let columns: Vec<_> = members.chain(read_only).chain(others).collect();
        // Unknown columns are ignored.
        let is_chosen = |name: &str| chosen.iter().any(|other| other == name);
        let is_usual = !columns.iter().any(|(name, _)| is_chosen(name));
        let column = |(name, content)| Column {
            name,
            label: texts::label("member", name),
            content,
            order: shown.orders.iter().find(|order| order.column == name),
            is_shown: if is_usual { shown.columns.contains(&name) } else { is_chosen(name) },
        };
        let mut columns: Vec<_> = columns.into_iter().map(column).collect();
        let position =
            |column: &Column| shown.columns.iter().position(|name| *name == column.name).unwrap_or(usize::MAX);
        columns.sort_by_key(position);
        let title = columns.iter().position(|column| column.name == shown.title).map(|index| columns.remove(index));
        Self { shown, columns, title }
    }

    pub(crate) fn shown(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| column.is_shown)
    }

    /// Collects the members and records whose names the columns of a record show.
    pub(crate) fn note_names<'a>(columns: impl Iterator<Item = &'a Column>, record: &Json, wanted: &mut WantedNames) {
        for column in columns {
            let value = &record[column.name];
            match &column.content {
                Content::Member(FieldKind::Member) => wanted.people.extend(id_of(value)),
                Content::Author => wanted.people.extend(id_of(&value["id"])),
                Content::Member(FieldKind::Record(kind)) | Content::ReadOnly(FieldKind::Record(kind)) => {
                    wanted.records.extend(id_of(value).map(|id| (*kind, id)));
                }
                _ => {}
            }
        }
    }

    /// The cell of a column.
    pub(crate) fn cell(&self, column: &Column, record: &Json, names: &Names) -> Cell {
        let value = &record[column.name];
        if value.is_null() {
            return if column.is_number() { Cell::NoNumber } else { Cell::Empty };
        }
        match &column.content {
            Content::Time => time_of(value).map_or(Cell::Empty, Cell::Time),
            Content::Author => author(value, names),
            Content::Member(_) | Content::ReadOnly(_)
                if self.shown.money.is_some_and(|(amount, _)| amount == column.name) =>
            {
                let currency = self.shown.money.and_then(|(_, currency)| record[currency].as_str());
                Cell::Number(money(&value.to_string(), currency.unwrap_or_default()))
            }
            Content::Member(kind) | Content::ReadOnly(kind) => {
                let cell = match member_cell(kind, column.name, value, names) {
                    Cell::Long(text) if self.shown.has_plain_texts => Cell::Plain(text),
                    cell => cell,
                };
                let is_open = || (self.shown.is_open)(record["status"].as_str().unwrap_or_default());
                if DUE.contains(&column.name) && is_open() { due_cell(cell, value) } else { cell }
            }
        }
    }
}

/// The members with due dates.
const DUE: [&str; 3] = ["due_at", "expected_close_date", "end_date"];

fn due_cell(cell: Cell, value: &Json) -> Cell {
    match cell {
        Cell::Time(at) => Cell::Due(at),
        Cell::Text(_) => Cell::DueDay(value.as_str().unwrap_or_default().to_owned()),
        other => other,
    }
}

fn member_cell(kind: &FieldKind, name: &str, value: &Json, names: &Names) -> Cell {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match kind {
        FieldKind::Member => {
            let name = id_of(value).and_then(|id| names.people.get(&id).cloned());
            Cell::Person { name: name.unwrap_or_else(|| texts::text("unknown-member")), icon: "user" }
        }
        FieldKind::Record(kind) => record_cell(*kind, value, names),
        FieldKind::Time => time_of(value).map_or(Cell::Empty, Cell::Time),
        FieldKind::Date => Cell::Text(day(&text)),
        FieldKind::Choice => Cell::Badge { label: texts::label("value", &text), tone: tone_of(&text) },
        FieldKind::Choices | FieldKind::List => {
            let items = value.as_array().into_iter().flatten().filter_map(Json::as_str);
            let items: Vec<_> = items.map(str::to_owned).collect();
            if items.is_empty() { Cell::Empty } else { Cell::Tags(items) }
        }
        FieldKind::YesNo => Cell::Text(texts::text(if text == "true" { "yes" } else { "no" })),
        FieldKind::Number { .. } => Cell::Number(percentage(name, &text)),
        FieldKind::Duration => Cell::Number(text.parse().map_or(text, duration_of)),
        FieldKind::Email => Cell::ExternalLink { href: format!("mailto:{text}"), text },
        FieldKind::LongText { .. } => Cell::Long(text),
        FieldKind::Object => {
            let pairs = value.as_object().into_iter().flatten();
            let plain = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let pairs: Vec<_> = pairs.map(|(name, value)| (name.clone(), plain(value))).collect();
            if pairs.is_empty() { Cell::Empty } else { Cell::Pairs(pairs) }
        }
        FieldKind::Text { .. } | FieldKind::Currency | FieldKind::Password => {
            let is_web = text.starts_with("https://") || text.starts_with("http://");
            if is_web { Cell::ExternalLink { href: text.clone(), text } } else { Cell::Text(text) }
        }
    }
}

fn record_cell(kind: RecordKind, value: &Json, names: &Names) -> Cell {
    let Some(id) = id_of(value) else { return Cell::Empty };
    match names.records.get(&(kind, id)) {
        Some(name) => Cell::Link { href: address_of(kind, id), text: name.clone() },
        None => Cell::Text(texts::text("record-gone")),
    }
}

/// The URL of a record of any kind.
pub(crate) fn address_of(kind: RecordKind, id: Uuid) -> String {
    format!("/{}/{id}", kind.plural())
}

/// Who did something, with an icon for the kind of actor.
pub(crate) fn author(by: &Json, names: &Names) -> Cell {
    let kind = by["type"].as_str().unwrap_or_default();
    let name = id_of(&by["id"]).and_then(|id| names.people.get(&id).cloned());
    match name {
        Some(name) => actor(name, kind, None),
        // The name says what kind of actor it is.
        None => Cell::Person { name: texts::label("actor", kind), icon: icon_of_actor(kind) },
    }
}

/// The actor that did something, perhaps by calling a tool.
pub(crate) fn actor(name: String, kind: &str, tool: Option<&str>) -> Cell {
    let (icon, kind) = kind_of_actor(kind, tool);
    // For a person, the name is enough.
    let kind = if kind == "user" { String::new() } else { texts::label("actor", kind) };
    Cell::Actor { name, icon, kind }
}

/// The icon and the key of a kind of actor. An agent is an API key that calls tools.
pub(crate) fn kind_of_actor<'k>(kind: &'k str, tool: Option<&str>) -> (&'static str, &'k str) {
    match (kind, tool) {
        ("api_key" | "trial", Some(_)) => ("robot", "agent"),
        _ => (icon_of_actor(kind), kind),
    }
}

pub(crate) fn icon_of_actor(kind: &str) -> &'static str {
    match kind {
        "user" => "user",
        "api_key" => "key",
        "trial" => "sparkles",
        "customer" => "message-circle",
        _ => "robot",
    }
}

pub(crate) fn id_of(value: &Json) -> Option<Uuid> {
    value.as_str().and_then(|text| text.parse().ok())
}

pub(crate) fn time_of(value: &Json) -> Option<OffsetDateTime> {
    let instant: Timestamp = value.as_str()?.parse().ok()?;
    OffsetDateTime::from_unix_timestamp_nanos(instant.as_nanosecond()).ok()
}

/// Formats `2026-11-22` as `22 Nov 2026`.
pub(crate) fn day(text: &str) -> String {
    let day: Result<Date, _> = text.parse();
    day.map_or_else(|_| text.to_owned(), |day| day.strftime("%-d %b %Y").to_string())
}

fn percentage(name: &str, number: &str) -> String {
    let is_share = matches!(name, "probability" | "commission_pct" | "progress");
    if is_share { format!("{number} %") } else { number.to_owned() }
}

/// The colour of a value, in lists and on boards. Consecutive values differ.
pub(crate) fn tone_of(value: &str) -> &'static str {
    match value {
        "active" | "customer" | "closed_won" | "done" | "resolved" | "completed" | "published" => "green",
        "blocked" | "closed_lost" | "cancelled" | "urgent" => "red",
        "on_hold" | "pending" | "waiting" | "high" | "negotiation" => "orange",
        "in_progress" => "yellow",
        "open" | "new" | "todo" | "engaged" | "qualified" => "blue",
        "in_review" | "proposal" => "purple",
        "discovery" => "cyan",
        _ => "secondary",
    }
}

/// A record's title, made from these members.
pub(crate) fn title_of_members(record: &Json, names: &[&str]) -> String {
    let found = names.iter().filter_map(|name| record[*name].as_str()).find(|text| !text.is_empty());
    found.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_times_and_days_are_due() {
        let day = json!("2026-11-22");
        assert_eq!(due_cell(Cell::Text("22 Nov 2026".to_owned()), &day), Cell::DueDay("2026-11-22".to_owned()));
        assert_eq!(due_cell(Cell::Empty, &Json::Null), Cell::Empty);
    }
}
