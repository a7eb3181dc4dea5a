//! Default values for members that are empty in a row. A member without a column gets its value in all rows.
//!
//! Records that are closed, finished or resolved in the file were closed in the past, so an import does not fill in the current day.

use serde_json::{Map, Value as Json};

use super::TransferKind;
use super::cells::{Notation, value_of};
use super::columns::KnownTargets;
use super::links::{address_column, links_of};
use super::reading::add;
use super::targets::{Mapping, Target};
use crate::Error;
use crate::kernel::input::Problems;
use crate::records::{ADDED_CUSTOM_FIELDS, CUSTOM_FIELDS, ImportRow, message_of};

/// A member whose rule depends on another member, so it can only be checked in rows.
const DEPENDENT: &str = "requester_name";

const CLOSED: [&str; 2] = ["closed_won", "closed_lost"];

/// The member with the closing time of a kind of record.
const fn closing_member(kind: TransferKind) -> Option<&'static str> {
    match kind {
        TransferKind::Deals => Some("actual_close_date"),
        TransferKind::Tasks => Some("completed_at"),
        TransferKind::Tickets => Some("resolved_at"),
        _ => None,
    }
}

/// The closing member that is missing from a row whose record is closed.
pub(super) fn missing_closing_member(kind: TransferKind, row: &ImportRow) -> Option<&'static str> {
    let is_one_of = |member: &str, values: &[&str]| {
        row.get(member).and_then(Json::as_str).is_some_and(|value| values.contains(&value))
    };
    let is_closed = match kind {
        TransferKind::Deals => is_one_of("status", &CLOSED) || is_one_of("stage", &CLOSED),
        TransferKind::Tasks => is_one_of("status", &["done"]),
        TransferKind::Tickets => is_one_of("status", &["resolved", "closed"]),
        _ => false,
    };
    closing_member(kind).filter(|member| is_closed && !row.contains_key(*member))
}

/// The values that [`Mapping::values`] has for empty cells.
#[derive(Debug, Clone, Default)]
pub(super) struct DefaultValues {
    kind: Option<TransferKind>,
    members: ImportRow,
    custom_fields: Map<String, Json>,
    /// Columns that name a record, each with its value and the names of all columns by which a row can name that record itself.
    links: Vec<(&'static str, String, Vec<&'static str>)>,
}

impl DefaultValues {
    /// Reads the values. A value that its member refuses is a problem of the whole file.
    pub(super) fn of(known: &KnownTargets, mapping: &Mapping, notation: Notation, problems: &mut Problems) -> Self {
        let mut defaults = Self { kind: Some(known.kind), ..Self::default() };
        for (member, _, value) in mapping.values.iter().filter(|(_, cell, _)| cell.trim().is_empty()) {
            let by_address = if value.contains('@') { address_column(known.kind, member) } else { None };
            let member = by_address.unwrap_or(member);
            match known.target_named(member) {
                Some(_) if known.kind.keys().contains(&member) => {
                    let message = format!("{member}: identifies records and cannot have the same value in all rows");
                    problems.rule("value", "is_key", message);
                }
                Some(Target::Member(found)) => match value_of(&found, value, notation) {
                    Err(message) => problems.rule("value", "invalid_value", format!("{member}: {message}")),
                    Ok(json) => match refusal(known.kind, found.name, &json) {
                        Some(message) => problems.rule("value", "invalid_value", message),
                        None => drop(defaults.members.insert(found.name.to_owned(), json)),
                    },
                },
                Some(Target::CustomField(name)) => drop(defaults.custom_fields.insert(name, value.as_str().into())),
                Some(Target::Link(link)) => {
                    let same_member = links_of(known.kind).into_iter().filter(|other| other.member == link.member);
                    // Where a name is not found, the value for all rows applies.
                    let own = same_member.filter(|other| *other == link || !other.is_name_in_entry());
                    let names = own.map(|other| other.column).chain([link.member]).collect();
                    defaults.links.push((link.column, value.clone(), names));
                }
                Some(
                    Target::Ignored
                    | Target::Unnamed
                    | Target::Identity(_)
                    | Target::Line(_)
                    | Target::FullName
                    | Target::Fact(_),
                )
                | None => {
                    known.note_unknown_member(member, problems);
                }
            }
        }
        defaults
    }

    /// Fills in the members that a row does not have.
    pub(super) fn fill(&self, row: &mut ImportRow) {
        for (column, value, names) in &self.links {
            if !names.iter().any(|name| row.contains_key(*name)) {
                row.insert((*column).to_owned(), value.as_str().into());
            }
        }
        let closing = self.kind.and_then(closing_member);
        for (name, value) in self.members.iter().filter(|(name, _)| closing != Some(name.as_str())) {
            row.entry(name.as_str()).or_insert_with(|| value.clone());
        }
        // Only closed records have the closing member, and the values above may set the status.
        if let Some(member) = self.kind.and_then(|kind| missing_closing_member(kind, row))
            && let Some(value) = self.members.get(member)
        {
            row.insert(member.to_owned(), value.clone());
        }
        let mut custom_fields = self.custom_fields.clone();
        for existing in [CUSTOM_FIELDS, ADDED_CUSTOM_FIELDS].iter().filter_map(|name| row.get(*name)?.as_object()) {
            custom_fields.retain(|name, _| !existing.contains_key(name));
        }
        if !custom_fields.is_empty() {
            add(row, ADDED_CUSTOM_FIELDS, custom_fields.into());
        }
    }
}

/// Why a member refuses a value, whatever the rest of the row, with the message of a refused row.
fn refusal(kind: TransferKind, member: &str, value: &Json) -> Option<String> {
    if member == DEPENDENT {
        return None;
    }
    let row = ImportRow::from_iter([(member.to_owned(), value.clone())]);
    let (Error::Malformed(mut problems) | Error::Invalid(mut problems)) = kind.check(row).err()? else { return None };
    // Problems within the member, such as `tags[3]`, count. Those of other members come from their absence.
    problems.retain(|problem| problem.field.split(['[', '.']).next() == Some(member));
    (!problems.is_empty()).then(|| message_of(&Error::Invalid(problems)))
}
